package dev.soloist.coordination.singleton;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole job at one moment.
 *
 * @param redisNow the Redis clock at that moment
 * @param uid of the object it belongs to; empty when absent
 * @param mark the data set's id; empty when absent
 * @param slot scheduled moment of the present slot
 * @param due when it may run, before the hold
 * @param notBefore end of the hold; the epoch when there is none
 * @param attempt made of this slot; 0 before the first
 * @param triggered whether another run follows the present one by request
 * @param pendingDue the slot that follows the present run because the schedule was changed under it
 * @param suspendRequested a run is in progress and the job pauses after it
 * @param deleteRequested a run is in progress and the job ends after it
 * @param leaseRemaining of the lock; null when there is none or it has no end
 * @param unacknowledged when a claim was last given back because too few replicas had acknowledged it; null once a run has
 *     ended since
 * @param history newest first, as many as asked for
 */
public record SingletonSnapshot(
        SingletonState state,
        Instant redisNow,
        long generation,
        long term,
        String uid,
        String mark,
        SpecRevision spec,
        @Nullable Instant slot,
        @Nullable Instant due,
        Instant notBefore,
        int attempt,
        boolean triggered,
        @Nullable Instant pendingDue,
        boolean suspendRequested,
        boolean deleteRequested,
        @Nullable CurrentRun current,
        @Nullable Duration leaseRemaining,
        @Nullable LastRun last,
        @Nullable Instant lastSuccess,
        long runs,
        int misses,
        int fails,
        @Nullable Instant unacknowledged,
        List<RunSummary> history) {

    /** When it may run next: the later of due and hold. Null while nothing is planned. */
    public @Nullable Instant nextRun() {
        return switch (state) {
            case DELAYED, READY -> due == null || notBefore.isAfter(due) ? notBefore : due;
            case RUNNING -> triggered ? redisNow : pendingDue;
            case PAUSED, DELETED, ABSENT -> null;
        };
    }
}
