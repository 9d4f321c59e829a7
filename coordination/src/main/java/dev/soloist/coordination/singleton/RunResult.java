package dev.soloist.coordination.singleton;

/** How a run ended. */
public enum RunResult {
    /** The app said so in time. */
    SUCCEEDED,
    /** The app refused or failed it. */
    FAILED,
    /** Cancelled: the lease was lost, or the job was deleted under it. */
    ABORTED,
    /** Cancelled because its longest run time was over. */
    TIMED_OUT,
    /** Given back unfinished by a holder that ends; the attempt does not count. */
    INTERRUPTED,
    /** The slot was missed and is passed over, as its policy says; the app was not called. */
    SKIPPED,
    /** Its holder fell silent or was seen to end; written by watch and reclaim, never by a holder. */
    ABANDONED,
    /** A result that came after its run had been settled without it; kept for the reader, without effect. */
    LATE
}
