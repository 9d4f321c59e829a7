package dev.soloist.crds;

/// Annotations that users write. The injector reads those of the pod template, the operator those of a
/// DistributedJob.
public final class Annotations {

    /// On a pod template: `"true"` asks for a sidecar. Any other value, and absence, asks for none.
    public static final String INJECT = "soloist.dev/inject";

    /// On a pod template: the sidecar's CPU request, a Kubernetes quantity.
    public static final String SIDECAR_CPU = "soloist.dev/sidecar-cpu";

    /// On a pod template: the sidecar's memory request and limit, a Kubernetes quantity.
    public static final String SIDECAR_MEMORY = "soloist.dev/sidecar-memory";

    /// On a pod template: the sidecar's image, instead of the operator's choice.
    public static final String SIDECAR_IMAGE = "soloist.dev/sidecar-image";

    /// On a pod template: the sidecar's log level.
    public static final String SIDECAR_LOG_LEVEL = "soloist.dev/sidecar-log-level";

    /// On a pod template: port of the localhost API.
    public static final String API_PORT = "soloist.dev/api-port";

    /// On a pod template: port of metrics and probes on the pod's address.
    public static final String METRICS_PORT = "soloist.dev/metrics-port";

    /// On a pod template: `"false"` makes the sidecar an ordinary container instead of a native one.
    public static final String NATIVE_SIDECAR = "soloist.dev/native-sidecar";

    /// On a DistributedJob: each new value asks for one run now, under the same lease and policy as any other run.
    public static final String RUN_NOW = "soloist.dev/run-now";

    /// On a DistributedJob: each new value asks to remove a lock in Redis that fits no run of the job. The lease of a
    /// run
    /// is never removed by it.
    public static final String FORCE_UNLOCK = "soloist.dev/force-unlock";

    private Annotations() {}
}
