package dev.soloist.crds;

/// Types of the conditions in a status. `Ready`, `Reconciling` and `Stalled` mean what kstatus says they mean.
public final class ConditionTypes {

    /// The object is observed in its newest generation and does what its spec says.
    public static final String READY = "Ready";

    /// Present and True only while the operator is still working towards the spec.
    public static final String RECONCILING = "Reconciling";

    /// Present and True only when nothing but an edit of some object will help.
    public static final String STALLED = "Stalled";

    /// The operator reaches the store of this job.
    public static final String STORE_READY = "StoreReady";

    /// `spec.suspend` is in force.
    public static final String SUSPENDED = "Suspended";

    private ConditionTypes() {}
}
