package dev.soloist.crds.policy;

import static java.util.Objects.requireNonNull;

/// What a user reads when a rule is broken, from the API server and from Java alike.
final class PolicySentences {

    private static final String DURATION =
            " must be a positive duration such as 30s, 5m or 1h30m, in the units h, m, s, ms (for a day write 24h)";

    static final String NAME = "metadata.name must have at most 63 characters: choose a shorter name";
    static final String TTL = "spec.ttl" + DURATION;
    static final String TTL_BOUNDS =
            "spec.ttl must be between 5s and 10m: a shorter lease ends in a pause of its holder,"
                    + " a longer one stops the work for too long after a crash";
    static final String MAX_RUN_TIME = "spec.maxRunTime" + DURATION;
    static final String OBJECTIVE = "spec.recoveryObjective" + DURATION;
    static final String HEARTBEAT_EVERY = "spec.heartbeat.every" + DURATION;
    static final String HEARTBEAT_MIN = "spec.heartbeat.every must be at least 1s: raise it";
    static final String WATCHDOG_EVERY = "spec.watchdog.every" + DURATION;
    static final String WATCHDOG_MIN = "spec.watchdog.every must be at least 1s: raise it";
    static final String GRACE = "spec.watchdog.grace" + DURATION;
    static final String HOLD_FOR = "spec.release.holdFor" + DURATION;
    static final String HOLD_FOR_IF_HOLD_FOR =
            "spec.release.holdFor goes with spec.release.policy HoldFor and only with it:"
                    + " set both, or remove holdFor";
    static final String HEARTBEAT_THIRD =
            "spec.heartbeat.every must be at most a third of spec.ttl: lower spec.heartbeat.every or raise spec.ttl";
    static final String TTL_COVERS_RUN = "without spec.heartbeat.enabled, spec.ttl must be longer than spec.maxRunTime,"
            + " for the lease would end during a run: raise spec.ttl, lower spec.maxRunTime, or enable the heartbeat";
    static final String WATCHDOG_COVERS_RUN = "without spec.heartbeat.enabled, spec.watchdog.every must be longer than"
            + " spec.maxRunTime + spec.watchdog.grace, for the watchdog would take over a run that goes on:"
            + " raise spec.watchdog.every, lower spec.maxRunTime, or enable the heartbeat";
    static final String OBJECTIVE_MET = "spec.ttl + spec.watchdog.every + spec.watchdog.grace must be at most"
            + " spec.recoveryObjective: lower one of the three or raise spec.recoveryObjective";
    static final String REPLICAS_IF_REPLICATED =
            "spec.durability.replicas and spec.durability.timeout go with spec.durability.mode Replicated and only with it:"
                    + " set mode: Replicated, or remove them";
    static final String ACK_TIMEOUT = "spec.durability.timeout" + DURATION;
    static final String ACK_TIMEOUT_BOUNDS =
            "spec.durability.timeout must be between 10ms and 5s: a shorter wait misses replicas that are well, a longer"
                    + " one keeps apps waiting for an answer that will not come";
    static final String ACK_BEFORE_HEARTBEAT =
            "spec.durability.timeout must be at most half of spec.heartbeat.every, for"
                    + " a renewal that no replica acknowledges must leave time for the next:"
                    + " lower spec.durability.timeout or raise spec.heartbeat.every";
    static final String ACK_WITHIN_TTL = "spec.durability.timeout must be at most a sixth of spec.ttl, for it is taken"
            + " from the lease: lower spec.durability.timeout or raise spec.ttl";

    private PolicySentences() {}

    /// [#HEARTBEAT_THIRD] with the values of a spec that has its defaults, as CEL puts them in; likewise those below.
    static String heartbeatThird(LockPolicySpec spec) {
        return "spec.heartbeat.every (" + requireNonNull(spec.heartbeat()).every()
                + ") must be at most a third of spec.ttl (" + spec.ttl()
                + "): lower spec.heartbeat.every or raise spec.ttl";
    }

    static String ttlCoversRun(LockPolicySpec spec) {
        return "without spec.heartbeat.enabled, spec.ttl (" + spec.ttl() + ") must be longer than spec.maxRunTime ("
                + spec.maxRunTime() + "), for the lease would end during a run:"
                + " raise spec.ttl, lower spec.maxRunTime, or enable the heartbeat";
    }

    static String watchdogCoversRun(LockPolicySpec spec) {
        var watchdog = requireNonNull(spec.watchdog());
        return "without spec.heartbeat.enabled, spec.watchdog.every (" + watchdog.every()
                + ") must be longer than spec.maxRunTime (" + spec.maxRunTime() + ") + spec.watchdog.grace ("
                + watchdog.grace() + "), for the watchdog would take over a run that goes on:"
                + " raise spec.watchdog.every, lower spec.maxRunTime, or enable the heartbeat";
    }

    static String objectiveMet(LockPolicySpec spec) {
        var watchdog = requireNonNull(spec.watchdog());
        return "spec.ttl (" + spec.ttl() + ") + spec.watchdog.every (" + watchdog.every()
                + ") + spec.watchdog.grace (" + watchdog.grace() + ") must be at most spec.recoveryObjective ("
                + spec.recoveryObjective() + "): lower one of the three or raise spec.recoveryObjective";
    }

    static String ackBeforeHeartbeat(LockPolicySpec spec) {
        return "spec.durability.timeout (" + requireNonNull(spec.durability()).timeout()
                + ") must be at most half of spec.heartbeat.every ("
                + requireNonNull(spec.heartbeat()).every()
                + "), for a renewal that no replica acknowledges must leave time for the next:"
                + " lower spec.durability.timeout or raise spec.heartbeat.every";
    }

    static String ackWithinTtl(LockPolicySpec spec) {
        return "spec.durability.timeout (" + requireNonNull(spec.durability()).timeout()
                + ") must be at most a sixth of spec.ttl (" + spec.ttl()
                + "), for it is taken from the lease: lower spec.durability.timeout or raise spec.ttl";
    }
}
