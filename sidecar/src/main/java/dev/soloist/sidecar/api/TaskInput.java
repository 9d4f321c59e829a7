package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import org.jspecify.annotations.Nullable;

/**
 * One task as the caller wrote it, checked for form; the store judges the rest.
 *
 * @param id null when the sidecar is to choose one
 * @param payload bytes the app will receive, as they came
 * @param priority which of several due tasks goes first
 * @param dedupKey what counts as the same work; null when it is the id
 */
record TaskInput(
        @Nullable TaskId id,
        Payload payload,
        When due,
        Priority priority,
        @Nullable TaskId dedupKey) {

    static final String JSON = "application/json";
}
