package dev.soloist.coordination.delayed;

/**
 * A task together with the proof of holding it. Immutable.
 *
 * @param id of the task
 * @param receipt from its reservation
 */
public record Held(TaskId id, Receipt receipt) {}
