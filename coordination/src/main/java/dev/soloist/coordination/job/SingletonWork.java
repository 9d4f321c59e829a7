package dev.soloist.coordination.job;

import dev.soloist.coordination.schedule.Schedule;

/**
 * Work on a schedule, at most one valid holder at a time. Immutable.
 *
 * @param schedule when it is due
 * @param retry what follows a failed run
 */
public record SingletonWork(Schedule schedule, Retry retry) implements Work {}
