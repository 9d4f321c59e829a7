package dev.soloist.coordination.delayed;

import java.time.Instant;

/**
 * A task in its holder's hands. Immutable.
 *
 * @param id of the task
 * @param payload as it was enqueued
 * @param receipt to be shown when giving it back, ending or extending it
 * @param attempt which delivery this is, from 1
 * @param dueAt when it was due
 * @param enqueuedAt when it was accepted
 */
public record ReservedTask(
        TaskId id, Payload payload, Receipt receipt, int attempt, Instant dueAt, Instant enqueuedAt) {

    /** The task with the proof of holding it. */
    public Held held() {
        return new Held(id, receipt);
    }
}
