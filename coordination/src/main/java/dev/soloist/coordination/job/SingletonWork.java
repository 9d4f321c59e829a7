package dev.soloist.coordination.job;

import dev.soloist.coordination.schedule.Schedule;
import java.time.Duration;

/**
 * Work on a schedule, at most one valid holder at a time. Immutable.
 *
 * @param schedule when it is due
 * @param misfire what becomes of missed slots
 * @param retry what follows a failed run
 * @param cooldown the least time from the end of a run to the start of the next, whatever asks for it; zero for none
 */
public record SingletonWork(Schedule schedule, Misfire misfire, Retry retry, Duration cooldown) implements Work {

    /** Work whose next run may begin at once. */
    public SingletonWork(Schedule schedule, Misfire misfire, Retry retry) {
        this(schedule, misfire, retry, Duration.ZERO);
    }

    /** Work whose missed slots are made up for by one run. */
    public SingletonWork(Schedule schedule, Retry retry) {
        this(schedule, Misfire.RUN_ONCE, retry);
    }
}
