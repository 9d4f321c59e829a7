package dev.soloist.crds.job;

import dev.soloist.crds.GoDuration;

/// The rules of the schema in CEL, except those of the schedule. [JobRules] says the same in Java; a test holds
/// them together.
///
/// A rule about two fields passes when one of them is malformed, so that the user reads one sentence per mistake.
final class JobCel {

    static final String LOCK_POLICY_SHAPE = "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$";
    static final String PATH_SHAPE = "^/[A-Za-z0-9._~!$&()*+,;=:@%/-]*$";
    static final String LABEL_KEY_SHAPE =
            "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
    static final String LABEL_VALUE_SHAPE = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";

    private static final String SHAPE = ".matches('" + GoDuration.SHAPE + "')";
    private static final String NOT_ZERO = ".matches('" + GoDuration.NOT_ZERO + "')";

    static final String NAME = "size(self.metadata.name) <= 63";
    static final String ONE_KIND_OF_WORK =
            "(has(self.singleton) ? 1 : 0) + (has(self.delayed) ? 1 : 0) + (has(self.broadcast) ? 1 : 0) == 1";
    static final String NO_LEASE_IN_BROADCAST = "!has(self.broadcast) || !has(self.lockPolicy)";
    static final String NO_LOG_OF_BROADCAST = "!has(self.broadcast) || !has(self.eventLog)";
    static final String LOCK_POLICY = "!has(self.lockPolicy) || self.lockPolicy.matches('" + LOCK_POLICY_SHAPE + "')";
    static final String SOME_LABEL = "size(self.matchLabels) > 0";
    static final String LABEL_SYNTAX = "self.matchLabels.all(k, k.matches('" + LABEL_KEY_SHAPE
            + "') && self.matchLabels[k].matches('" + LABEL_VALUE_SHAPE + "'))";
    static final String PATH = "self.path.matches('" + PATH_SHAPE + "')";
    static final String TIMEOUT = "!has(self.timeout) || (self.timeout" + SHAPE + " && self.timeout" + NOT_ZERO + ")";
    static final String BACKOFF_INITIAL =
            "!has(self.initial) || (self.initial" + SHAPE + " && self.initial" + NOT_ZERO + ")";
    static final String BACKOFF_MAX = "!has(self.max) || (self.max" + SHAPE + " && self.max" + NOT_ZERO + ")";
    static final String BACKOFF_ORDER = "!has(self.initial) || !has(self.max) || !self.initial" + SHAPE
            + " || !self.initial" + NOT_ZERO + " || !self.max" + SHAPE + " || !self.max" + NOT_ZERO
            + " || duration(self.initial) <= duration(self.max)";
    static final String BACKOFF_ORDER_MESSAGE =
            "'backoff.initial (' + self.initial + ') must not be longer than backoff.max (' + self.max"
                    + " + '): lower backoff.initial or raise backoff.max'";
    static final String VISIBILITY = "!has(self.visibilityTimeout) || (self.visibilityTimeout" + SHAPE
            + " && self.visibilityTimeout" + NOT_ZERO + ")";
    static final String VISIBILITY_MIN = "!has(self.visibilityTimeout) || !self.visibilityTimeout" + SHAPE
            + " || !self.visibilityTimeout" + NOT_ZERO + " || duration(self.visibilityTimeout) >= duration('1s')";

    private static final String COOLDOWN_OK = "(self.cooldown" + SHAPE + " && self.cooldown" + NOT_ZERO + ")";
    static final String COOLDOWN = "!has(self.cooldown) || " + COOLDOWN_OK;
    static final String COOLDOWN_MAX =
            "!has(self.cooldown) || !" + COOLDOWN_OK + " || duration(self.cooldown) <= duration('24h')";

    private JobCel() {}
}
