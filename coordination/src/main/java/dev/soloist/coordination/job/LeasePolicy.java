package dev.soloist.coordination.job;

import dev.soloist.coordination.durability.Durability;
import java.time.Duration;

/**
 * How a run is protected, with all defaults filled in. Immutable.
 *
 * @param ttl a lease that is not renewed ends after this
 * @param heartbeat whether the lease is renewed while the run goes on
 * @param heartbeatEvery the time between renewals
 * @param release how soon the next run may start
 * @param holdFor counted from the start of the run; of meaning only with {@link ReleasePolicy#HOLD_FOR}
 * @param watchdogEvery the time between two looks of the watchdog
 * @param grace added to a lease's end before anybody calls its run abandoned
 * @param maxRunTime a run is cancelled when it is over
 * @param safety what becomes of runs on a store that may lose leases by itself
 * @param durability when a claim, a renewal or an accepted task counts
 * @param backend how a lease is kept in Redis
 */
public record LeasePolicy(
        Duration ttl,
        boolean heartbeat,
        Duration heartbeatEvery,
        ReleasePolicy release,
        Duration holdFor,
        Duration watchdogEvery,
        Duration grace,
        Duration maxRunTime,
        Durability durability,
        Safety safety,
        Backend backend) {

    /** A strict policy whose leases are one key each, and whose leases and tasks count when the primary has them. */
    public LeasePolicy(
            Duration ttl,
            boolean heartbeat,
            Duration heartbeatEvery,
            ReleasePolicy release,
            Duration holdFor,
            Duration watchdogEvery,
            Duration grace,
            Duration maxRunTime) {
        this(
                ttl,
                heartbeat,
                heartbeatEvery,
                release,
                holdFor,
                watchdogEvery,
                grace,
                maxRunTime,
                Durability.LOCAL,
                Safety.STRICT,
                Backend.STRING);
    }

    /** The same policy with another durability. */
    public LeasePolicy with(Durability other) {
        return with(other, safety, backend);
    }

    /** The same policy with another safety. */
    public LeasePolicy with(Safety other) {
        return with(durability, other, backend);
    }

    /** The same policy with another back end. */
    public LeasePolicy with(Backend other) {
        return with(durability, safety, other);
    }

    private LeasePolicy with(Durability newDurability, Safety newSafety, Backend newBackend) {
        return new LeasePolicy(
                ttl,
                heartbeat,
                heartbeatEvery,
                release,
                holdFor,
                watchdogEvery,
                grace,
                maxRunTime,
                newDurability,
                newSafety,
                newBackend);
    }
}
