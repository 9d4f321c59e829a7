package dev.soloist.crds.policy;

import dev.soloist.crds.GoDuration;

/// The rules of the schema in CEL. [PolicyRules] says the same in Java; a test holds them together.
///
/// A rule about several fields passes when one of them is malformed, so that the user reads one sentence per
/// mistake. Rules of the spec read defaulted fields without asking whether they are there: the API server fills in
/// defaults before it checks. Rules of the objects inside must ask, for the server also checks the default `{}` of
/// such an object by itself.
final class PolicyCel {

    private static final String SHAPE = ".matches('" + GoDuration.SHAPE + "')";
    private static final String NOT_ZERO = ".matches('" + GoDuration.NOT_ZERO + "')";

    private static final String EVERY_OK = "(self.every" + SHAPE + " && self.every" + NOT_ZERO + ")";
    private static final String TTL_OK = "(self.ttl" + SHAPE + " && self.ttl" + NOT_ZERO + ")";
    private static final String RUN_OK = "(self.maxRunTime" + SHAPE + " && self.maxRunTime" + NOT_ZERO + ")";
    private static final String OBJECTIVE_OK =
            "(self.recoveryObjective" + SHAPE + " && self.recoveryObjective" + NOT_ZERO + ")";
    private static final String BEAT_OK = "(self.heartbeat.every" + SHAPE + " && self.heartbeat.every" + NOT_ZERO + ")";
    private static final String WATCH_OK = "(self.watchdog.every" + SHAPE + " && self.watchdog.every" + NOT_ZERO + ")";
    private static final String GRACE_OK = "(self.watchdog.grace" + SHAPE + " && self.watchdog.grace" + NOT_ZERO + ")";

    private static final String WAIT_OK =
            "(self.durability.timeout" + SHAPE + " && self.durability.timeout" + NOT_ZERO + ")";
    private static final String WAIT = "duration(self.durability.timeout)";

    static final String NAME = "size(self.metadata.name) <= 63";
    static final String TTL = TTL_OK;
    static final String TTL_BOUNDS =
            "!" + TTL_OK + " || (duration(self.ttl) >= duration('5s') && duration(self.ttl) <= duration('10m'))";
    static final String MAX_RUN_TIME = RUN_OK;
    static final String OBJECTIVE = "!has(self.recoveryObjective) || " + OBJECTIVE_OK;
    static final String HEARTBEAT_EVERY = "!has(self.every) || " + EVERY_OK;
    static final String HEARTBEAT_MIN =
            "!has(self.every) || !" + EVERY_OK + " || duration(self.every) >= duration('1s')";
    static final String WATCHDOG_EVERY = HEARTBEAT_EVERY;
    static final String WATCHDOG_MIN = HEARTBEAT_MIN;
    static final String GRACE = "!has(self.grace) || (self.grace" + SHAPE + " && self.grace" + NOT_ZERO + ")";
    static final String HOLD_FOR = "!has(self.holdFor) || (self.holdFor" + SHAPE + " && self.holdFor" + NOT_ZERO + ")";
    static final String HOLD_FOR_IF_HOLD_FOR = "has(self.holdFor) == (has(self.policy) && self.policy == 'HoldFor')";

    static final String HEARTBEAT_THIRD = "!self.heartbeat.enabled || !" + BEAT_OK + " || !" + TTL_OK
            + " || duration(self.heartbeat.every) + duration(self.heartbeat.every) + duration(self.heartbeat.every)"
            + " <= duration(self.ttl)";
    static final String HEARTBEAT_THIRD_MESSAGE = "'spec.heartbeat.every (' + self.heartbeat.every"
            + " + ') must be at most a third of spec.ttl (' + self.ttl + '): lower spec.heartbeat.every or raise spec.ttl'";

    static final String TTL_COVERS_RUN = "self.heartbeat.enabled || !" + TTL_OK + " || !" + RUN_OK
            + " || duration(self.ttl) > duration(self.maxRunTime)";
    static final String TTL_COVERS_RUN_MESSAGE = "'without spec.heartbeat.enabled, spec.ttl (' + self.ttl"
            + " + ') must be longer than spec.maxRunTime (' + self.maxRunTime + '), for the lease would end during a run:"
            + " raise spec.ttl, lower spec.maxRunTime, or enable the heartbeat'";

    static final String WATCHDOG_COVERS_RUN = "self.heartbeat.enabled || !" + WATCH_OK + " || !" + GRACE_OK + " || !"
            + RUN_OK + " || duration(self.watchdog.every) > duration(self.maxRunTime) + duration(self.watchdog.grace)";
    static final String WATCHDOG_COVERS_RUN_MESSAGE =
            "'without spec.heartbeat.enabled, spec.watchdog.every (' + self.watchdog.every"
                    + " + ') must be longer than spec.maxRunTime (' + self.maxRunTime + ') + spec.watchdog.grace (' + self.watchdog.grace"
                    + " + '), for the watchdog would take over a run that goes on:"
                    + " raise spec.watchdog.every, lower spec.maxRunTime, or enable the heartbeat'";

    static final String OBJECTIVE_MET = "!has(self.recoveryObjective) || !" + OBJECTIVE_OK + " || !" + TTL_OK + " || !"
            + WATCH_OK + " || !" + GRACE_OK
            + " || duration(self.ttl) + duration(self.watchdog.every) + duration(self.watchdog.grace)"
            + " <= duration(self.recoveryObjective)";
    static final String OBJECTIVE_MET_MESSAGE =
            "'spec.ttl (' + self.ttl + ') + spec.watchdog.every (' + self.watchdog.every"
                    + " + ') + spec.watchdog.grace (' + self.watchdog.grace + ') must be at most spec.recoveryObjective ('"
                    + " + self.recoveryObjective + '): lower one of the three or raise spec.recoveryObjective'";

    static final String REPLICAS_IF_REPLICATED =
            "(has(self.mode) && self.mode == 'Replicated') || (!has(self.replicas) && !has(self.timeout))";
    private static final String TIMEOUT_OK = "(self.timeout" + SHAPE + " && self.timeout" + NOT_ZERO + ")";
    static final String ACK_TIMEOUT = "!has(self.timeout) || " + TIMEOUT_OK;
    static final String ACK_TIMEOUT_BOUNDS = "!has(self.timeout) || !" + TIMEOUT_OK
            + " || (duration(self.timeout) >= duration('10ms') && duration(self.timeout) <= duration('5s'))";
    static final String ACK_BEFORE_HEARTBEAT = "!self.heartbeat.enabled || !has(self.durability.timeout) || !" + WAIT_OK
            + " || !" + BEAT_OK + " || " + WAIT + " + " + WAIT + " <= duration(self.heartbeat.every)";
    static final String ACK_BEFORE_HEARTBEAT_MESSAGE = "'spec.durability.timeout (' + self.durability.timeout"
            + " + ') must be at most half of spec.heartbeat.every (' + self.heartbeat.every"
            + " + '), for a renewal that no replica acknowledges must leave time for the next:"
            + " lower spec.durability.timeout or raise spec.heartbeat.every'";
    static final String ACK_WITHIN_TTL = "!has(self.durability.timeout) || !" + WAIT_OK + " || !" + TTL_OK + " || "
            + WAIT + " + " + WAIT + " + " + WAIT + " + " + WAIT + " + " + WAIT + " + " + WAIT
            + " <= duration(self.ttl)";
    static final String ACK_WITHIN_TTL_MESSAGE = "'spec.durability.timeout (' + self.durability.timeout"
            + " + ') must be at most a sixth of spec.ttl (' + self.ttl"
            + " + '), for it is taken from the lease: lower spec.durability.timeout or raise spec.ttl'";

    private PolicyCel() {}
}
