package dev.soloist.coordination.delayed;

import java.time.Duration;

/**
 * How many tasks are where, at one moment. Immutable.
 *
 * @param pending waiting for their due
 * @param ready due and moved to the ready lists; hints of tasks that have ended meanwhile are counted until judged
 * @param inFlight held by somebody
 * @param dead among the dead letters
 * @param oldestOverdue how long the longest waiting due task has waited, zero if none waits
 */
public record QueueCounts(long pending, long ready, long inFlight, long dead, Duration oldestOverdue) {}
