package dev.soloist.coordination.lease;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.singleton.Fence;
import java.time.Duration;
import java.time.Instant;

/** One living lease as it was at the moment of a look. */
public sealed interface LeaseView {

    /** Name of the lease or of the job. */
    String name();

    /** When it ends unless it is renewed, by the Redis clock. */
    Instant endsAt();

    /** How long that was ahead at the moment of the look. */
    Duration remaining();

    /**
     * A lease that an app asked for.
     *
     * @param since when its holder got it
     * @param ttl how long it lasts from each renewal
     * @param revoked whether it will not be renewed any more
     */
    record OfApp(
            String name,
            LeaseHolder holder,
            Fence fence,
            Instant since,
            Duration ttl,
            boolean revoked,
            Instant endsAt,
            Duration remaining)
            implements LeaseView {}

    /** The lease of a singleton job's run. */
    record OfJob(String name, InstanceId holder, long sequence, Instant endsAt, Duration remaining)
            implements LeaseView {}
}
