package dev.soloist.coordination.delayed;

/** What became of the wish to try a dead task again. */
public enum Requeue {
    /** It is due now, and no attempt counts. */
    REQUEUED,
    /** It is not among the dead letters. */
    NOT_DEAD,
    /** Another task has its deduplication key, or was handled with it inside its window. */
    KEY_TAKEN
}
