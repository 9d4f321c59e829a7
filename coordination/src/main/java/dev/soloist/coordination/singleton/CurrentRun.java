package dev.soloist.coordination.singleton;

import dev.soloist.coordination.key.InstanceId;
import java.time.Instant;

/**
 * The run on record.
 *
 * @param leaseEnd by the Redis clock; may be past when nobody has settled it yet
 * @param cancelRequested whether it was asked to stop
 */
public record CurrentRun(
        InstanceId owner, String pod, Fence fence, Instant startedAt, Instant leaseEnd, boolean cancelRequested) {}
