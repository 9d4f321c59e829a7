package dev.soloist.coordination.delayed;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as it was at one moment. Immutable.
 *
 * @param id of the task
 * @param state where it is; a pending task counts as READY from its due on
 * @param dueAt the due that counts
 * @param attempts deliveries so far
 * @param lastError why the last attempt failed, empty if none did
 * @param holder the instance that holds it, null if nobody does
 * @param visibleAgainAt when it is taken back from its holder, null if nobody holds it
 * @param cancelRequested whether it was withdrawn while held
 * @param enqueuedAt when it was accepted, null once it has ended
 * @param payload null once it has ended
 * @param priority which of several due tasks goes first; NORMAL once it has ended
 * @param diedAt when it was given up, null unless it is dead
 */
public record TaskView(
        TaskId id,
        TaskState state,
        Instant dueAt,
        int attempts,
        String lastError,
        @Nullable String holder,
        @Nullable Instant visibleAgainAt,
        boolean cancelRequested,
        @Nullable Instant enqueuedAt,
        @Nullable Payload payload,
        Priority priority,
        @Nullable Instant diedAt) {}
