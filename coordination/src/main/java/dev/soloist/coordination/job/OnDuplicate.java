package dev.soloist.coordination.job;

/** What happens when a task is enqueued whose id is already waiting. */
public enum OnDuplicate {
    /** The new one is refused. */
    REJECT,
    /** The earlier of the two due times stays, so that nobody can postpone the task by asking again. */
    KEEP_EARLIEST,
    /** The newer due time counts. */
    KEEP_LATEST,
    /** The newer task takes the place of the older one, payload and all. */
    REPLACE
}
