package dev.soloist.coordination.capability;

/** Why a store is not used. The words are stable: conditions carry them as their reason. */
public enum RefusalReason {
    /** It was not looked at yet. */
    NOT_PROBED("StoreNotProbed"),
    /** It has scripts, and our user may not run them. */
    SCRIPTS_FORBIDDEN("StoreScriptsForbidden"),
    /** It has neither scripts nor a compare-and-set that would do. */
    NOT_CAPABLE("StoreNotCapable"),
    /** It can do less than the installation asks for. */
    BELOW_MINIMUM("StoreBelowMinimum"),
    /** The data in it were made in another mode. */
    MODE_CHANGED("StoreModeChanged"),
    /** Another cluster uses it under the same installation name. */
    OTHER_CLUSTER("StoreOfAnotherCluster"),
    /** It is not known which cluster this is. */
    CLUSTER_UNKNOWN("ClusterUnknown"),
    /** A newer version of Soloist wrote it. */
    NEWER_SCHEMA("StoreSchemaTooNew"),
    /** What it says about itself cannot be read. */
    RECORD_UNREADABLE("StoreRecordUnreadable");

    private final String word;

    RefusalReason(String word) {
        this.word = word;
    }

    /** The stable word. */
    public String word() {
        return word;
    }
}
