package dev.soloist.crds.job;

import dev.soloist.crds.GoDuration;

/// The rules of delayed work in CEL. [DelayedRules] says the same in Java; a test holds them together.
///
/// A rule about two fields passes when one of them is malformed, so that the user reads one sentence per mistake.
final class DelayedCel {

    /// At most seven digits: with Mi that is far from the end of a number of 64 bits.
    static final String PAYLOAD_SHAPE = "^[1-9][0-9]{0,6}(Ki|Mi)?$";

    private static final String SHAPE = ".matches('" + GoDuration.SHAPE + "')";
    private static final String NOT_ZERO = ".matches('" + GoDuration.NOT_ZERO + "')";

    static final String TRANSPORT = "!has(self.transport) || self.transport == 'List' || self.transport == 'Stream'";
    static final String STREAM_IF_STREAM = "!has(self.stream) || (has(self.transport) && self.transport == 'Stream')";
    private static final String ONCE = "has(self.delivery) && self.delivery == 'AtMostOnce'";
    private static final String NO_STREAM = "!has(self.transport) || self.transport != 'Stream'";
    private static final String ONE_SHARD = "!has(self.shards) || self.shards <= 1";
    static final String ONCE_IS_ONE_ATTEMPT = "!(" + ONCE + ") || !has(self.maxAttempts) || self.maxAttempts <= 1";
    static final String ONCE_IN_A_LIST = "!(" + ONCE + ") || " + NO_STREAM;
    static final String RATE_IN_A_LIST = "!has(self.rateLimit) || " + NO_STREAM;
    static final String RATE_IN_ONE_SHARD = "!has(self.rateLimit) || " + ONE_SHARD;
    static final String STREAM_IN_ONE_SHARD = NO_STREAM + " || " + ONE_SHARD;
    static final String KEYS_IN_ONE_SHARD = "!has(self.deduplication) || " + ONE_SHARD;

    private static final String PAYLOAD_OK = "self.maxPayload.matches('" + PAYLOAD_SHAPE + "')";
    static final String PAYLOAD = "!has(self.maxPayload) || " + PAYLOAD_OK;
    static final String PAYLOAD_MAX = "!has(self.maxPayload) || !" + PAYLOAD_OK
            + " || (self.maxPayload.endsWith('Mi') ? self.maxPayload == '1Mi'"
            + " : self.maxPayload.endsWith('Ki') ? int(self.maxPayload.replace('Ki', '')) <= 1024"
            + " : int(self.maxPayload) <= 1048576)";

    static final String RETENTION =
            "!has(self.retention) || (self.retention" + SHAPE + " && self.retention" + NOT_ZERO + ")";
    static final String RETENTION_BOUNDS =
            "!has(self.retention) || !(self.retention" + SHAPE + " && self.retention" + NOT_ZERO + ")"
                    + " || (duration(self.retention) >= duration('1m') && duration(self.retention) <= duration('720h'))";
    static final String WINDOW = "!has(self.window) || (self.window" + SHAPE + " && self.window" + NOT_ZERO + ")";
    static final String WINDOW_BOUNDS = "!has(self.window) || !(self.window" + SHAPE + " && self.window" + NOT_ZERO
            + ")" + " || (duration(self.window) >= duration('1s') && duration(self.window) <= duration('720h'))";
    static final String DEAD_AGE = "!has(self.maxAge) || (self.maxAge" + SHAPE + " && self.maxAge" + NOT_ZERO + ")";
    static final String DEAD_AGE_BOUNDS = "!has(self.maxAge) || !(self.maxAge" + SHAPE + " && self.maxAge" + NOT_ZERO
            + ")" + " || (duration(self.maxAge) >= duration('1m') && duration(self.maxAge) <= duration('8760h'))";
    static final String RATE_PER = "!has(self.per) || (self.per" + SHAPE + " && self.per" + NOT_ZERO + ")";
    static final String RATE_PER_BOUNDS = "!has(self.per) || !(self.per" + SHAPE + " && self.per" + NOT_ZERO + ")"
            + " || (duration(self.per) >= duration('100ms') && duration(self.per) <= duration('24h'))";

    private DelayedCel() {}
}
