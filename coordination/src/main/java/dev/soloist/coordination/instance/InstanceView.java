package dev.soloist.coordination.instance;

import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An instance as it was at one moment. Immutable.
 *
 * @param id of the instance
 * @param podName of its pod, for people
 * @param state whether it takes part
 * @param leaseEnd by the Redis clock; the epoch once it is fenced
 * @param overFor how long the lease has been over, zero while it is not; meaningless once fenced
 * @param segments what it looks after, its own first
 */
public record InstanceView(
        InstanceId id, String podName, State state, Instant leaseEnd, Duration overFor, List<String> segments) {

    /** Whether an instance takes part. */
    public enum State {
        /** It may enqueue and reserve. */
        ACTIVE,
        /** It may not, and waits to be adopted. */
        FENCED
    }
}
