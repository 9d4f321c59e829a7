package dev.soloist.crds.job;

/// Words of `status.lastVerdict`: what became of the last due moment of a singleton.
public final class Verdicts {

    public static final String RAN = "Ran";

    /// It was due while `spec.suspend` was in force.
    public static final String SKIPPED_SUSPENDED = "SkippedSuspended";

    /// It was missed, and `spec.singleton.misfire.policy` is Skip.
    public static final String MISSED_DEADLINE = "MissedDeadline";

    /// No pod with a sidecar was ready to take it.
    public static final String NO_READY_POD = "NoReadyPod";

    /// No pod with a sidecar matches the selector.
    public static final String NO_INJECTED_POD = "NoInjectedPod";

    /// The store did not answer.
    public static final String STORE_DOWN = "StoreDown";

    /// The run was cut because its lease was lost.
    public static final String LEASE_LOST = "LeaseLost";

    /// Too few replicas acknowledge a claim, so no run begins: the LockPolicy wants `durability.mode` Replicated.
    public static final String REPLICA_ACK_MISSING = "ReplicaAckMissing";

    private Verdicts() {}
}
