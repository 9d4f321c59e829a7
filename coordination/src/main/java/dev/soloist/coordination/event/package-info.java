/**
 * What became of a job, event by event, kept up to a length and readable from any point in order. Each event is written in the
 * step that made it true; an event beyond the length is gone, and a log says so to whoever asks for it.
 */
@NullMarked
package dev.soloist.coordination.event;

import org.jspecify.annotations.NullMarked;
