package dev.soloist.coordination.instance;

/** The answer to dropping an adopted segment. */
public enum Dropping {
    /** It was empty and is not looked after any more. */
    DROPPED,
    /** It still holds tasks, is the owner's own, or is not the owner's at all. */
    KEPT
}
