package dev.soloist.coordination.job;

import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that become due. Immutable.
 *
 * @param visibilityTimeout how long a delivered task stays hidden from the others
 * @param maxAttempts deliveries before a task is dead
 * @param backoff the waits between attempts
 * @param concurrency tasks that one pod handles at a time
 * @param onDuplicate what happens to an id that is already waiting
 * @param transport what carries due tasks to the pods
 * @param delivery how often a task is handed out
 * @param deduplication null if keys are not looked at
 * @param limits how much the queue takes and keeps
 * @param rateLimit null if there is none
 * @param shards over how many parts the queue is spread, at least 1
 */
public record DelayedWork(
        Duration visibilityTimeout,
        int maxAttempts,
        Backoff backoff,
        int concurrency,
        OnDuplicate onDuplicate,
        Transport transport,
        Delivery delivery,
        @Nullable Deduplication deduplication,
        TaskLimits limits,
        @Nullable RateLimit rateLimit,
        int shards)
        implements Work {

    private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

    /** Tasks on one list, each delivered at least once, with the limits of old and nothing else. */
    public DelayedWork(
            Duration visibilityTimeout, int maxAttempts, Backoff backoff, int concurrency, OnDuplicate onDuplicate) {
        this(
                visibilityTimeout,
                maxAttempts,
                backoff,
                concurrency,
                onDuplicate,
                Transport.LIST,
                Delivery.AT_LEAST_ONCE,
                null,
                TaskLimits.DEFAULT,
                null,
                1);
    }

    /**
     * The longest time from the death of a pod until another is handed its task, if that was the task's first attempt, nobody
     * sees the pod end, and another pod has room: the visibility that was renewed a moment before, the longest wait for a look
     * at what is over ({@link #lookEvery}, give or take a fifth), the back-off of a first attempt, and a second for whoever
     * hears of it by no message, longer from the fifth shard on. After later attempts the back-off grows up to its maximum.
     *
     * <p>{@code docs/patterns/recovery-strategies.md} tells where each part comes from; {@code RecoveryStrategiesIT} compares
     * it with what is measured. Null if tasks are handed out at most once: such a task is not recovered.
     */
    public @Nullable Duration worstCaseRecovery() {
        if (delivery == Delivery.AT_MOST_ONCE) {
            return null;
        }
        return visibilityTimeout
                .plus(lookEvery().multipliedBy(6).dividedBy(5))
                .plus(backoff.delay(1))
                .plus(Duration.ofSeconds(1).multipliedBy(Math.max(4, shards)).dividedBy(4));
    }

    /** How often each pod looks for tasks whose visibility is over. */
    public Duration lookEvery() {
        var half = visibilityTimeout.dividedBy(2);
        return half.compareTo(LONGEST_LOOK) < 0 ? half : LONGEST_LOOK;
    }

    /**
     * How often a task may be reserved before it is dead. One that is removed before its app sees it was never seen while it
     * could be taken back, so that nothing counts against it.
     */
    public int mostReservations() {
        return delivery == Delivery.AT_MOST_ONCE ? Integer.MAX_VALUE : maxAttempts;
    }

    /** The same work on another transport. */
    public DelayedWork with(Transport other) {
        return with(other, delivery, deduplication, limits, rateLimit, shards);
    }

    /** The same work with another delivery. */
    public DelayedWork with(Delivery other) {
        return with(transport, other, deduplication, limits, rateLimit, shards);
    }

    /** The same work with keys looked at. */
    public DelayedWork with(Deduplication other) {
        return with(transport, delivery, other, limits, rateLimit, shards);
    }

    /** The same work with other limits. */
    public DelayedWork with(TaskLimits other) {
        return with(transport, delivery, deduplication, other, rateLimit, shards);
    }

    /** The same work at another rate. */
    public DelayedWork with(RateLimit other) {
        return with(transport, delivery, deduplication, limits, other, shards);
    }

    /** The same work over so many shards. */
    public DelayedWork withShards(int other) {
        return with(transport, delivery, deduplication, limits, rateLimit, other);
    }

    private DelayedWork with(
            Transport newTransport,
            Delivery newDelivery,
            @Nullable Deduplication newDeduplication,
            TaskLimits newLimits,
            @Nullable RateLimit newRateLimit,
            int newShards) {
        return new DelayedWork(
                visibilityTimeout,
                maxAttempts,
                backoff,
                concurrency,
                onDuplicate,
                newTransport,
                newDelivery,
                newDeduplication,
                newLimits,
                newRateLimit,
                newShards);
    }
}
