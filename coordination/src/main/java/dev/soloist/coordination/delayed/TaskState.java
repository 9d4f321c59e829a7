package dev.soloist.coordination.delayed;

/** Where a task is in its life. */
public enum TaskState {
    /** Waiting for its due. */
    DELAYED,
    /** Due, and waiting for a holder. */
    READY,
    /** Held by an instance, until it ends or its visibility does. */
    IN_FLIGHT,
    /** Handled; only the id is remembered, for the retention. */
    DONE,
    /** Given up after too many attempts, or on the app's word; kept with its payload until requeued or purged. */
    DEAD,
    /** Withdrawn; only the id is remembered, for the retention. */
    CANCELLED
}
