package dev.soloist.crds;

/// Finalizers of the API group.
public final class Finalizers {

    /// On a DistributedJob until its state in Redis has been ended.
    public static final String DISTRIBUTED_JOB = "soloist.dev/coordination";

    private Finalizers() {}
}
