/**
 * News for every pod at once, over Pub/Sub: whoever listens at the moment hears it, at most once. Nothing is kept, so nobody hears it
 * later, and who heard it is not known: never for work.
 */
@NullMarked
package dev.soloist.coordination.broadcast;

import org.jspecify.annotations.NullMarked;
