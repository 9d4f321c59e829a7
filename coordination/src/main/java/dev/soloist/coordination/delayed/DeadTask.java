package dev.soloist.coordination.delayed;

import java.time.Instant;

/**
 * A dead letter. Immutable.
 *
 * @param id of the task
 * @param diedAt when it was given up
 * @param dueAt when it was last due
 * @param attempts deliveries it had
 * @param lastError why the last one failed
 */
public record DeadTask(TaskId id, Instant diedAt, Instant dueAt, int attempts, String lastError) {}
