package dev.soloist.coordination.singleton;

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
 */
public record WatchRequest(Duration grace, AbandonPolicy policy, Instant nextDue, Backoff backoff, int maxMisses) {
    public WatchRequest {
        if (grace.isNegative() || maxMisses < 0) {
            throw new IllegalArgumentException("grace and maxMisses are not negative: " + grace + ", " + maxMisses);
        }
    }
}
