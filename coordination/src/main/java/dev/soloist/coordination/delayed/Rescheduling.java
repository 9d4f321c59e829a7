package dev.soloist.coordination.delayed;

import java.time.Instant;

/** The answer to giving a task another due. */
public sealed interface Rescheduling {

    /** Why it was refused. */
    enum Reason {
        /** Somebody is handling it. */
        IN_FLIGHT,
        /** It is among the dead letters. */
        DEAD,
        /** More than a year ahead. */
        TOO_FAR
    }

    /**
     * The task has the new due.
     *
     * @param dueAt by the Redis clock
     * @param head whether it is now the first of the caller's own segment
     * @param redisNow when Redis said so
     */
    record Rescheduled(Instant dueAt, boolean head, Instant redisNow) implements Rescheduling {}

    /**
     * Nothing changed.
     *
     * @param reason why
     */
    record Refused(Reason reason) implements Rescheduling {}

    /** There is no such task. */
    record NotFound() implements Rescheduling {}
}
