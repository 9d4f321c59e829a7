package dev.soloist.coordination.event;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.singleton.RunSummary;
import java.time.Instant;

/** One event of a job. Immutable. */
public sealed interface LoggedEvent {

    /** Its place in the log. */
    EventId id();

    /** About how many characters it takes to tell of it; its texts are what has no length of its own. */
    default int length() {
        return 256
                + switch (this) {
                    case RunEnded(var _, var run) -> run.message().length();
                    case LateResult(var _, var run) -> run.message().length();
                    case TaskDied died -> died.error().length();
                    case Unknown(var _, var kind) -> kind.length();
                };
    }

    /** A run ended, in whatever way. */
    record RunEnded(EventId id, RunSummary run) implements LoggedEvent {}

    /** A result came after its run had been settled without it. */
    record LateResult(EventId id, RunSummary run) implements LoggedEvent {}

    /**
     * A task went to the dead letters.
     *
     * @param attempts that it had
     * @param due of its last attempt
     * @param error the last one that its app told of; may be empty
     */
    record TaskDied(EventId id, TaskId task, Cause cause, int attempts, Instant due, String error)
            implements LoggedEvent {}

    /** Written by a newer version. */
    record Unknown(EventId id, String kind) implements LoggedEvent {}

    /** Why a task died. */
    enum Cause {
        /** Its app said that it must not be tried again. */
        REFUSED,
        /** Its last attempt failed, or it had as many as it may have. */
        ATTEMPTS,
        /** Its last holder fell silent. */
        SILENT
    }
}
