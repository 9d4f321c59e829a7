package dev.soloist.coordination.delayed;

/** What became of the wish to try a dead task again. */
public enum Requeue {
    /** It is due now, and no attempt counts. */
    REQUEUED,
    /** It is not among the dead letters. */
    NOT_DEAD
}
