package dev.soloist.crds.policy;

import org.jspecify.annotations.Nullable;

/// The defaults of a LockPolicy in Java, the same as in the schema. Pure.
public final class PolicyDefaults {

    private PolicyDefaults() {}

    /// The spec as the API server would store it: what the user left out is filled in, what is wrong stays as it is.
    public static LockPolicySpec fill(LockPolicySpec spec) {
        return new LockPolicySpec(
                or(spec.backend(), Backend.STRING),
                or(spec.ttl(), PolicyLimits.TTL),
                fill(or(spec.heartbeat(), new Heartbeat(null, null))),
                fill(or(spec.release(), new Release(null, null))),
                fill(or(spec.watchdog(), new Watchdog(null, null))),
                or(spec.maxRunTime(), PolicyLimits.MAX_RUN_TIME),
                spec.recoveryObjective(),
                fill(or(spec.durability(), new Durability(null, null, null))),
                or(spec.safety(), Safety.STRICT));
    }

    private static Heartbeat fill(Heartbeat heartbeat) {
        return new Heartbeat(or(heartbeat.enabled(), true), or(heartbeat.every(), PolicyLimits.HEARTBEAT_EVERY));
    }

    private static Release fill(Release release) {
        return new Release(or(release.policy(), ReleasePolicy.HOLD_UNTIL_NEXT_RUN), release.holdFor());
    }

    private static Watchdog fill(Watchdog watchdog) {
        return new Watchdog(
                or(watchdog.every(), PolicyLimits.WATCHDOG_EVERY), or(watchdog.grace(), PolicyLimits.WATCHDOG_GRACE));
    }

    private static Durability fill(Durability durability) {
        return new Durability(or(durability.mode(), DurabilityMode.LOCAL), durability.replicas(), durability.timeout());
    }

    private static <T> T or(@Nullable T written, T otherwise) {
        return written == null ? otherwise : written;
    }
}
