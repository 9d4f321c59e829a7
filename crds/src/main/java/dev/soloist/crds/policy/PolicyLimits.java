package dev.soloist.crds.policy;

/// Defaults of the spec, written once for the schema and for Java.
final class PolicyLimits {

    static final String TTL = "30s";
    static final String HEARTBEAT_EVERY = "10s";
    static final String WATCHDOG_EVERY = "5s";
    static final String WATCHDOG_GRACE = "2s";
    static final String MAX_RUN_TIME = "5m";
    static final int ACK_REPLICAS = 1;
    static final int MOST_ACK_REPLICAS = 5;

    /// Half of the shortest heartbeat, and less than a sixth of the shortest ttl: right for every policy.
    static final String ACK_TIMEOUT = "500ms";

    private PolicyLimits() {}
}
