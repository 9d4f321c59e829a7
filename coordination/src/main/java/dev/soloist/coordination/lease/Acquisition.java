package dev.soloist.coordination.lease;

import dev.soloist.coordination.singleton.Fence;
import java.time.Duration;
import java.time.Instant;

/** The answer to a wish for a lease. No answer at all (an exception) is never a grant. */
public sealed interface Acquisition {

    /**
     * The caller holds it.
     *
     * @param fence above all that this namespace's apps were given before
     * @param remaining counted from when the call was sent
     * @param endsAt by the Redis clock
     * @param repeated whether this very wish had been granted already; its end was set anew
     */
    record Acquired(Fence fence, Duration remaining, Instant endsAt, boolean repeated) implements Acquisition {}

    /**
     * Somebody holds it, perhaps the caller under another nonce.
     *
     * @param pod name of the holder's pod
     * @param revoked whether it will not be renewed any more
     */
    record Held(String pod, Fence fence, Duration remaining, boolean revoked) implements Acquisition {}

    /** The namespace has as many leases as it may. */
    record Full() implements Acquisition {}
}
