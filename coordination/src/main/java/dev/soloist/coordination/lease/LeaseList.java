package dev.soloist.coordination.lease;

import java.time.Instant;
import java.util.List;

/**
 * Living leases of a namespace at one moment.
 *
 * @param redisNow that moment
 * @param leases that which ends soonest first
 * @param more whether there are others that were not wanted
 */
public record LeaseList(Instant redisNow, List<LeaseView> leases, boolean more) {}
