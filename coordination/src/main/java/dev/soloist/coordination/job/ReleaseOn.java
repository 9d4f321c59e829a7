package dev.soloist.coordination.job;

/** What becomes of the deduplication key of a task that died. */
public enum ReleaseOn {
    /** The dead letter keeps it: until it was requeued and handled, or removed. */
    SUCCESS,
    /** It is free at once. */
    TERMINAL
}
