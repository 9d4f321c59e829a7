package dev.soloist.coordination.delayed;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.TaskLimits;
import dev.soloist.coordination.job.Transport;
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
 * @param logLength events kept in the job's log, which tells of tasks that die; 0 notes nothing
 * @param transport what due tasks reach their holders by, and with a stream how much of what was handled is kept
 */
public record QueueLimits(
        int maxPayload,
        long maxDepth,
        Duration retention,
        Duration deadMaxAge,
        long deadMaxCount,
        int logLength,
        Transport transport) {

    /** 256 KiB, a million tasks, 10 minutes, 7 days, ten thousand dead letters. */
    public static final QueueLimits DEFAULT =
            new QueueLimits(256 * 1024, 1_000_000, Duration.ofMinutes(10), Duration.ofDays(7), 10_000);

    /** Limits of a queue that keeps no event log. */
    public QueueLimits(int maxPayload, long maxDepth, Duration retention, Duration deadMaxAge, long deadMaxCount) {
        this(maxPayload, maxDepth, retention, deadMaxAge, deadMaxCount, 0);
    }

    /** Limits of a queue by list. */
    public QueueLimits(
            int maxPayload, long maxDepth, Duration retention, Duration deadMaxAge, long deadMaxCount, int logLength) {
        this(maxPayload, maxDepth, retention, deadMaxAge, deadMaxCount, logLength, Transport.LIST);
    }

    /** What a job's definition says; its retention is that of {@link #DEFAULT}. */
    public static QueueLimits of(JobDefinition job) {
        TaskLimits limits = job.work() instanceof DelayedWork work ? work.limits() : TaskLimits.DEFAULT;
        return new QueueLimits(
                limits.maxPayload(),
                limits.maxDepth(),
                DEFAULT.retention,
                limits.deadMaxAge(),
                limits.deadMaxLength(),
                job.eventLogLength(),
                job.work() instanceof DelayedWork work ? work.transport() : Transport.LIST);
    }

    /** The same limits with another retention. */
    public QueueLimits withRetention(Duration other) {
        return new QueueLimits(maxPayload, maxDepth, other, deadMaxAge, deadMaxCount, logLength, transport);
    }

    /** The same limits with a log of so many events. */
    public QueueLimits withLog(int events) {
        return new QueueLimits(maxPayload, maxDepth, retention, deadMaxAge, deadMaxCount, events, transport);
    }

    /** The same limits of a queue by another transport. */
    public QueueLimits withTransport(Transport other) {
        return new QueueLimits(maxPayload, maxDepth, retention, deadMaxAge, deadMaxCount, logLength, other);
    }

    /** The same limits with room for so many tasks that are not dead. */
    public QueueLimits withDepth(long tasks) {
        return new QueueLimits(maxPayload, tasks, retention, deadMaxAge, deadMaxCount, logLength, transport);
    }

    /** The same limits with so many dead letters. */
    public QueueLimits withDead(long letters) {
        return new QueueLimits(maxPayload, maxDepth, retention, deadMaxAge, letters, logLength, transport);
    }
}
