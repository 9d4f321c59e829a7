package dev.soloist.coordination.lease;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Living leases of a namespace at one moment.
 *
 * @param redisNow that moment
 * @param leases that which ends soonest first
 * @param next where to read on; null if there are no others
 */
public record LeaseList(
        Instant redisNow, List<LeaseView> leases, @Nullable LeasePoint next) {

    /** Whether there are others that were not wanted. */
    public boolean more() {
        return next != null;
    }
}
