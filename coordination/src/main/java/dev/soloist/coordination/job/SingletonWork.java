package dev.soloist.coordination.job;

import dev.soloist.coordination.schedule.Schedule;

/**
 * Work on a schedule, at most one valid holder at a time. Immutable.
 *
 * @param schedule when it is due
 * @param misfire what becomes of missed slots
 * @param retry what follows a failed run
 */
public record SingletonWork(Schedule schedule, Misfire misfire, Retry retry) implements Work {

    /** Work whose missed slots are made up for by one run. */
    public SingletonWork(Schedule schedule, Retry retry) {
        this(schedule, Misfire.RUN_ONCE, retry);
    }
}
