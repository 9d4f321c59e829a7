/**
 * Delayed tasks on a server without scripts that can compare and set one string (Pika): one record per task decides, lists
 * and sorted sets only hint and may be lost or doubled. It promises what {@link
 * dev.soloist.coordination.delayed.DelayedQueue} says, except that a call is not done whole when its process dies in it:
 * the task then comes later or its hint comes twice, and it is never lost, early, or held by two.
 */
@NullMarked
package dev.soloist.coordination.delayed.cas;

import org.jspecify.annotations.NullMarked;
