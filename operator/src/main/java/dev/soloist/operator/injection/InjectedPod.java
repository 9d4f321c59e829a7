package dev.soloist.operator.injection;

/// Names by which an injected pod is known to others.
public final class InjectedPod {

    /// The sidecar's container.
    public static final String SIDECAR = "soloist-sidecar";

    /// The port that a PodMonitor selects.
    public static final String METRICS_PORT = "soloist-metrics";

    private InjectedPod() {}
}
