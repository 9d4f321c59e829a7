package dev.soloist.coordination.delayed;

/** What became of a task that was given back. */
public enum GivenBack {
    /** It waits for another due. */
    DELAYED,
    /** It can be reserved at once. */
    READY,
    /** It is among the dead letters. */
    DEAD,
    /** Somebody had withdrawn it while it was held: it is gone. */
    CANCELLED,
    /** It was given back by this very receipt before. */
    REPEATED,
    /** The receipt is void; nothing changed. */
    STALE
}
