package dev.soloist.crds;

/// Reasons of conditions: stable words that scripts may compare. The message beside a reason is for people and may
/// change.
public final class Reasons {

    /// Ready: pods share the job and the store answers.
    public static final String COORDINATING = "Coordinating";

    /// Ready is not decided yet; Reconciling says what goes on.
    public static final String PROGRESSING = "Progressing";

    /// The spec breaks a rule of this version; the message is the rule's sentence.
    public static final String INVALID_SPEC = "InvalidSpec";

    /// The schedule cannot be understood, or has no next time.
    public static final String INVALID_SCHEDULE = "InvalidSchedule";

    /// `spec.lockPolicy` names a LockPolicy that is not in the namespace.
    public static final String POLICY_NOT_FOUND = "PolicyNotFound";

    /// `spec.lockPolicy` names a LockPolicy that breaks a rule.
    public static final String POLICY_INVALID = "PolicyInvalid";

    /// The LockPolicy wants `durability.mode` Replicated, and the store cannot tell what its replicas have.
    public static final String DURABILITY_UNSUPPORTED = "DurabilityUnsupported";

    /// The job asks for what the store does not offer in the mode in which it is used; the message names the field.
    public static final String NOT_ON_THIS_STORE = "NotOnThisStore";

    /// The store does not answer the operator.
    public static final String STORE_UNREACHABLE = "StoreUnreachable";

    /// The store does not accept the operator's user or password, or does not let it do what it must.
    public static final String AUTH_FAILED = "AuthFailed";

    /// The store answers the operator.
    public static final String STORE_REACHABLE = "StoreReachable";

    /// The store may evict leases: its `maxmemory-policy` is not `noeviction`, or is not told.
    public static final String EVICTION_POLICY_UNSAFE = "EvictionPolicyUnsafe";

    /// The store's address leads to a replica.
    public static final String STORE_NOT_PRIMARY = "StoreNotPrimary";

    /// The store was not looked at yet.
    public static final String STORE_NOT_PROBED = "StoreNotProbed";

    /// The store has scripts, and does not let the operator's user run them.
    public static final String STORE_SCRIPTS_FORBIDDEN = "StoreScriptsForbidden";

    /// The store can do too little, in every mode.
    public static final String STORE_NOT_CAPABLE = "StoreNotCapable";

    /// The store can be used in mode Cas only, and the installation asks for scripts.
    public static final String STORE_BELOW_MINIMUM = "StoreBelowMinimum";

    /// The data in the store were made in another mode than the server offers now.
    public static final String STORE_MODE_CHANGED = "StoreModeChanged";

    /// Another cluster uses the store under the same installation name.
    public static final String STORE_OF_ANOTHER_CLUSTER = "StoreOfAnotherCluster";

    /// The operator cannot read which cluster this is.
    public static final String CLUSTER_UNKNOWN = "ClusterUnknown";

    /// A newer version of Soloist has written the store.
    public static final String STORE_SCHEMA_TOO_NEW = "StoreSchemaTooNew";

    /// What the store says about itself cannot be read.
    public static final String STORE_RECORD_UNREADABLE = "StoreRecordUnreadable";

    /// The store does not let the operator make the namespace's own user.
    public static final String STORE_USER_REFUSED = "StoreUserRefused";

    /// Kubernetes does not let the operator write the namespace's Secret `soloist-store`.
    public static final String STORE_SECRET_REFUSED = "StoreSecretRefused";

    /// Somebody else has written the job's keys in Redis: a lock that fits no run, or a record of another form.
    public static final String LOCK_CORRUPT = "LockCorrupt";

    /// No pod of the namespace carries the labels of `spec.selector`.
    public static final String NO_MATCHING_POD = "NoMatchingPod";

    /// Pods match, but none of them has a sidecar.
    public static final String NO_INJECTED_POD = "NoInjectedPod";

    /// Pods with a sidecar match, but none of them is ready.
    public static final String NO_READY_POD = "NoReadyPod";

    /// Suspended by `spec.suspend`.
    public static final String SUSPENDED_BY_SPEC = "SuspendedBySpec";

    /// Not suspended.
    public static final String NOT_SUSPENDED = "NotSuspended";

    /// LockPolicy: the spec keeps every rule.
    public static final String ACCEPTED = "Accepted";

    private Reasons() {}
}
