package dev.soloist.sidecar.singleton;

/** Why a run was cut short by its own sidecar. */
enum StopCause {
    /** The record shows another run or none. */
    RECORD_LOST("record"),
    /** The lease had lapsed when it was to be renewed. */
    LEASE_LOST("lease"),
    /** Our own monotonic clock says that the lease must be taken for lost. */
    DEADLINE_PASSED("deadline"),
    /** The longest run time is over. */
    MAX_RUN_TIME(""),
    /** The job was deleted, or somebody asked for this run to stop. */
    CANCEL_REQUESTED(""),
    /** The sidecar ends. */
    SHUTDOWN("");

    private final String lostLabel;

    StopCause(String lostLabel) {
        this.lostLabel = lostLabel;
    }

    boolean isLoss() {
        return !lostLabel.isEmpty();
    }

    /** Label of the metric of lost leases. */
    String lostLabel() {
        return lostLabel;
    }
}
