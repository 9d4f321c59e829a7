package dev.soloist.coordination.singleton;

/** What a watchdog saw, and has already mended. */
public enum WatchVerdict {
    /** All agrees. */
    OK,
    /** The token was missing, doubled or stale; the right one was put back. */
    LOST_TOKEN,
    /** A slot was overdue and nobody had come; it is ready now. */
    PROMOTED,
    /** A lock that fits no run, or has no end: somebody else wrote here. Nothing was taken away; tell people. */
    CORRUPT,
    /** A lease has just ended and its holder may still report, or a lease stands without a record. */
    WAIT,
    /** The holder was silent beyond the grace; the run was ended and the next slot set. */
    ABANDONED,
    /** No record: never seeded, or lost. The operator decides. */
    ABSENT
}
