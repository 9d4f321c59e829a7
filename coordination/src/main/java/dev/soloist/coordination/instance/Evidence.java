package dev.soloist.coordination.instance;

import java.time.Duration;

/** Why an instance is thought to be gone. */
public sealed interface Evidence {

    /**
     * It has been silent: Redis itself checks that the lease has been over for the grace.
     *
     * @param grace added to the lease
     */
    record LeaseOver(Duration grace) implements Evidence {}

    /** Its container was seen to have terminated, or a newer instance runs in the same pod. The lease plays no part. */
    record Terminated() implements Evidence {}
}
