package dev.soloist.coordination.delayed;

import dev.soloist.coordination.job.OnDuplicate;

/**
 * A task to be enqueued. Immutable.
 *
 * @param id names it within the job
 * @param payload reaches the app as it is
 * @param when it is due
 * @param requestKey names the caller's intention: a repeat with the same key is the same request and has no further
 *     effect, even after the task has ended (for the retention). A caller without a key of its own takes a fresh one per
 *     call; a key made from the payload would swallow the next honest submission of the same content
 * @param onDuplicate what happens if the id is waiting already
 * @param priority which of several due tasks goes first
 */
public record NewTask(
        TaskId id, Payload payload, When when, String requestKey, OnDuplicate onDuplicate, Priority priority) {

    /**
     * Checks the request key.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public NewTask {
        if (requestKey.isEmpty()) {
            throw new IllegalArgumentException("a request key is not empty");
        }
    }

    /** A task of {@link Priority#NORMAL}. */
    public NewTask(TaskId id, Payload payload, When when, String requestKey, OnDuplicate onDuplicate) {
        this(id, payload, when, requestKey, onDuplicate, Priority.NORMAL);
    }
}
