/**
 * When a job is due next, as pure arithmetic over Redis time. It never reads a clock and never walks over missed slots.
 */
@NullMarked
package dev.soloist.coordination.schedule;

import org.jspecify.annotations.NullMarked;
