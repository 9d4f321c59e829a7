package dev.soloist.coordination.delayed;

/** What became of the wish to throw a dead task away. */
public enum Discard {
    /** It is gone for good; only its id is remembered, for the retention. */
    DISCARDED,
    /** It is not among the dead letters. */
    NOT_DEAD
}
