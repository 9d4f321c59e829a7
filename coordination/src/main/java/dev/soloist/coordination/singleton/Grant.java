package dev.soloist.coordination.singleton;

import java.time.Duration;
import java.time.Instant;

/**
 * A lease as Redis gave it.
 *
 * @param generation of the slot; with job and fence it names the run
 * @param fence above that of every earlier grant
 * @param remaining of the lease, counted from when the call that brought it was sent
 * @param attempt of this slot, from 1
 * @param scheduledAt the moment of the slot, the same for all its attempts
 * @param redisNow the Redis clock at the grant
 * @param repeated whether this nonce had it already and the lease was set anew
 * @param owed whether somebody asked for this slot, or a run of it was interrupted: it is not passed over, however late
 */
public record Grant(
        long generation,
        Fence fence,
        Duration remaining,
        int attempt,
        Instant scheduledAt,
        Instant redisNow,
        boolean repeated,
        boolean owed) {}
