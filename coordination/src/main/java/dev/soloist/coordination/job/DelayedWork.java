package dev.soloist.coordination.job;

import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;

/**
 * Tasks that become due, each delivered at least once. Immutable.
 *
 * @param visibilityTimeout how long a delivered task stays hidden from the others
 * @param maxAttempts deliveries before a task is dead
 * @param backoff the waits between attempts
 * @param concurrency tasks that one pod handles at a time
 * @param onDuplicate what happens to an id that is already waiting
 */
public record DelayedWork(
        Duration visibilityTimeout, int maxAttempts, Backoff backoff, int concurrency, OnDuplicate onDuplicate)
        implements Work {}
