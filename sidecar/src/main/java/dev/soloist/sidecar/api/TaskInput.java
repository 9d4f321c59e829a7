package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import org.jspecify.annotations.Nullable;

/**
 * One task as the caller wrote it, checked for form; the store judges the rest.
 *
 * @param id null when the sidecar is to choose one
 * @param payload bytes the app will receive, as they came
 */
record TaskInput(@Nullable TaskId id, Payload payload, When due) {

    static final int MAX_PAYLOAD_BYTES = 256 * 1024;
    static final String JSON = "application/json";
}
