package dev.soloist.coordination.lease;

import java.time.Duration;
import java.time.Instant;

/** Whether a lease goes on. */
public sealed interface LeaseRenewal {

    /**
     * It does.
     *
     * @param remaining counted from when the call was sent
     * @param endsAt by the Redis clock
     */
    record Renewed(Duration remaining, Instant endsAt) implements LeaseRenewal {}

    /** Somebody has asked for its end: it is valid for the time that remains, and not longer. */
    record Revoked(Duration remaining) implements LeaseRenewal {}

    /** It is over, was given back, or was never the caller's. */
    record Lost() implements LeaseRenewal {}
}
