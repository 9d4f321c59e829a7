package dev.soloist.coordination.delayed;

/** What became of the wish to withdraw a task. */
public enum Cancellation {
    /** It is withdrawn and will not be handed out. */
    CANCELLED,
    /** Somebody is handling it: the holder is told at its next extension, and it is not tried again if that fails. */
    IN_FLIGHT,
    /** It was handled already. */
    DONE,
    /** There is no such task, or it ended longer ago than the retention. */
    NOT_FOUND
}
