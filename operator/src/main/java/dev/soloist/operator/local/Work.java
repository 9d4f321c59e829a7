package dev.soloist.operator.local;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One start of a run or a task in a pod, as the app told it; all times are Redis' times.
///
/// @param end null while it goes on
/// @param ending how it ended, or that it has not
record Work(
        String job,
        boolean isTask,
        String id,
        String fence,
        int attempt,
        String pod,
        @Nullable Instant scheduledAt,
        Instant start,
        @Nullable Instant end,
        Ending ending) {

    /// How a piece of work came to its end.
    enum Ending {
        GOING_ON,
        DONE,
        CANCELLED,
        /// Its process was killed.
        CUT
    }

    Work ended(Instant at, Ending how) {
        return new Work(job, isTask, id, fence, attempt, pod, scheduledAt, start, at, how);
    }

    boolean done() {
        return ending == Ending.DONE;
    }

    boolean goesOn() {
        return ending == Ending.GOING_ON;
    }
}
