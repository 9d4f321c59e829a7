/**
 * A stream with one consumer group as the way by which due tasks reach their holders: what is held is pending in the group,
 * and what was handled stays to be replayed. It decides nothing: whether a task is due, held or ended is what its record
 * says, so a stream that is lost or made anew loses its history and no task.
 */
@NullMarked
package dev.soloist.coordination.delayed.stream;

import org.jspecify.annotations.NullMarked;
