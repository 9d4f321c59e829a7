package dev.soloist.coordination.delayed;

import java.time.Duration;

/**
 * How much a queue may hold and remember. Immutable.
 *
 * @param maxPayload bytes of one payload
 * @param maxDepth tasks that are not dead
 * @param retention how long a finished id is known; zero means that a repeated request or acknowledgement is not
 *     recognised once the task has ended
 * @param deadMaxAge older dead letters are purged
 * @param deadMaxCount of more dead letters the oldest are purged
 */
public record QueueLimits(int maxPayload, long maxDepth, Duration retention, Duration deadMaxAge, long deadMaxCount) {

    /** 256 KiB, a million tasks, 10 minutes, 7 days, ten thousand dead letters. */
    public static final QueueLimits DEFAULT =
            new QueueLimits(256 * 1024, 1_000_000, Duration.ofMinutes(10), Duration.ofDays(7), 10_000);

    /** The same limits with another retention. */
    public QueueLimits withRetention(Duration other) {
        return new QueueLimits(maxPayload, maxDepth, other, deadMaxAge, deadMaxCount);
    }
}
