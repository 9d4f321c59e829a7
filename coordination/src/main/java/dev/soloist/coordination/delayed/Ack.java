package dev.soloist.coordination.delayed;

/** What became of the wish to end a task as handled. */
public enum Ack {
    /** The task is done and will not be handed out again. */
    ACKED,
    /** It was done by this very receipt before. */
    REPEATED,
    /** The receipt is void: the task was taken back and may run again, or ended otherwise. */
    STALE
}
