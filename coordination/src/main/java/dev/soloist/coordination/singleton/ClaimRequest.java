package dev.soloist.coordination.singleton;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import java.time.Duration;
import java.time.Instant;

/**
 * One wish for the lease. Send the same request again when the answer was lost; make a new one, with a new nonce, for a new
 * wish.
 *
 * @param term that the instance knows
 * @param pod name of the pod, for people
 * @param notAfter Redis clock after which the request must not win any more: the moment known now plus the time a call may
 *     take
 */
public record ClaimRequest(long term, InstanceId instance, String pod, Nonce nonce, Duration ttl, Instant notAfter) {
    public ClaimRequest {
        if (ttl.toMillis() <= 0) {
            throw new IllegalArgumentException("a lease lasts at least a millisecond: " + ttl);
        }
    }
}
