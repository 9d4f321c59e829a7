package dev.soloist.coordination.job;

import java.time.Duration;

/**
 * How much a queue takes and how long it keeps dead letters. Immutable.
 *
 * @param maxPayload bytes of one payload
 * @param maxDepth tasks that are not dead
 * @param deadMaxAge older dead letters are purged
 * @param deadMaxLength of more dead letters the oldest are purged
 */
public record TaskLimits(int maxPayload, long maxDepth, Duration deadMaxAge, long deadMaxLength) {

    /** 256 KiB, a million tasks, 7 days, ten thousand dead letters: what a definition of before means. */
    public static final TaskLimits DEFAULT = new TaskLimits(256 * 1024, 1_000_000, Duration.ofDays(7), 10_000);
}
