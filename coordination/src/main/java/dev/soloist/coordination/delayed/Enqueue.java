package dev.soloist.coordination.delayed;

import dev.soloist.coordination.link.RedisUnavailable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answer to enqueueing. */
public sealed interface Enqueue {

    /** What became of an accepted submission. */
    enum Outcome {
        /** A new task. */
        CREATED,
        /** The id was waiting and stays as it was; the submission is part of it. */
        KEPT,
        /** The id was waiting and has another due now. */
        MOVED,
        /** The id was waiting and has another payload and due now; its attempts count from nought. */
        REPLACED,
        /** This very request was accepted before, or its deduplication key is taken. */
        DUPLICATE
    }

    /** Why a submission was refused. */
    enum Reason {
        /** The id is waiting, and duplicates are to be refused. */
        EXISTS,
        /** The id is being handled. */
        IN_FLIGHT,
        /** The id is among the dead letters. */
        DEAD,
        /** The payload is beyond the limit. */
        TOO_LARGE,
        /** The queue holds as many tasks as it may. */
        FULL,
        /** Due more than a year ahead. */
        TOO_FAR,
        /** A priority other than normal, where there is one level only. */
        NO_PRIORITIES
    }

    /**
     * The task is recorded.
     *
     * @param outcome what it did
     * @param dueAt the due that counts now, by the Redis clock
     * @param head whether the task is now the first of the caller's own segment, so that its timer is to be shortened
     * @param redisNow when Redis said so
     * @param taken who stands for this task, which was not recorded, because its deduplication key is taken; else null
     */
    record Accepted(
            Outcome outcome,
            Instant dueAt,
            boolean head,
            Instant redisNow,
            @Nullable Taken taken) implements Enqueue {

        /** A task that stands for itself. */
        public Accepted(Outcome outcome, Instant dueAt, boolean head, Instant redisNow) {
            this(outcome, dueAt, head, redisNow, null);
        }
    }

    /**
     * Whose a deduplication key is.
     *
     * @param by the task that was accepted with it; its due is the one told
     * @param until to then nothing can free the key, for the task was handled; null while it may still be cancelled or die
     */
    record Taken(TaskId by, @Nullable Instant until) {}

    /**
     * Nothing was written, and a repeat would fare no better by itself.
     *
     * @param reason why
     */
    record Refused(Reason reason) implements Enqueue {}

    /** Nothing was written: the instance is fenced or unknown. Register as a new one, then repeat with the same key. */
    record Fenced() implements Enqueue {}

    /**
     * Only of one task among several, when others were answered: it may be recorded or not, and nothing can be said of it. Repeat
     * it with the same request key.
     *
     * @param why there is no answer
     */
    record Unanswered(RedisUnavailable why) implements Enqueue {}
}
