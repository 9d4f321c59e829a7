package dev.soloist.coordination.delayed;

import dev.soloist.coordination.job.OnDuplicate;
import org.jspecify.annotations.Nullable;

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
 * @param once whether and how long nothing else is taken for the same work; null for no deduplication
 */
public record NewTask(
        TaskId id,
        Payload payload,
        When when,
        String requestKey,
        OnDuplicate onDuplicate,
        Priority priority,
        @Nullable OnceWithin once) {

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

    /** A task that is not deduplicated. */
    public NewTask(
            TaskId id, Payload payload, When when, String requestKey, OnDuplicate onDuplicate, Priority priority) {
        this(id, payload, when, requestKey, onDuplicate, priority, null);
    }

    /** The same task, taken once only. */
    public NewTask once(OnceWithin wish) {
        return new NewTask(id, payload, when, requestKey, onDuplicate, priority, wish);
    }
}
