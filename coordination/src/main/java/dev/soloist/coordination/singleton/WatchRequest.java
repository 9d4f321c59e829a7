package dev.soloist.coordination.singleton;

import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * What a watchdog may do about a silent holder.
 *
 * @param grace beyond the end of a lease, for a holder that is about to report
 * @param nextDue of the next slot, for {@link AbandonPolicy#SKIP}
 * @param backoff between attempts of a slot whose holders fall silent
 * @param maxMisses silent holders in a row after which the slot is skipped: a job that kills its pods must not spin
 * @param cooldown since the end of the lease, or of the process that is proven dead
 */
public record WatchRequest(
        Duration grace, AbandonPolicy policy, Instant nextDue, Backoff backoff, int maxMisses, Duration cooldown) {

    /** The slot is late already when a holder falls silent: the first wait is no longer than this. */
    private static final Duration LONGEST_FIRST_WAIT = Duration.ofMillis(500);

    /** A request without a cooldown. */
    public WatchRequest(Duration grace, AbandonPolicy policy, Instant nextDue, Backoff backoff, int maxMisses) {
        this(grace, policy, nextDue, backoff, maxMisses, Duration.ZERO);
    }

    /** Checks the values. */
    public WatchRequest {
        if (grace.isNegative() || maxMisses < 0 || cooldown.isNegative()) {
            throw new IllegalArgumentException(
                    "grace, maxMisses and cooldown are not negative: " + grace + ", " + maxMisses + ", " + cooldown);
        }
    }

    /**
     * What every watchdog of a job asks for, so that operator and sidecars decide alike: a slot whose holder fell silent is run
     * again as often as a failed one may be, but sooner.
     *
     * @param snapshot of the job as it is now
     */
    public static WatchRequest of(LeasePolicy policy, SingletonWork work, SingletonSnapshot snapshot) {
        Instant now = snapshot.redisNow();
        Instant slot = snapshot.slot() == null ? now : snapshot.slot();
        Backoff failed = work.retry().backoff();
        Duration first = failed.initial().compareTo(LONGEST_FIRST_WAIT) < 0 ? failed.initial() : LONGEST_FIRST_WAIT;
        return new WatchRequest(
                policy.grace(),
                AbandonPolicy.RETRY,
                work.schedule().next(slot, now),
                new Backoff(first, failed.factor(), failed.max()),
                work.retry().limit(),
                work.cooldown());
    }
}
