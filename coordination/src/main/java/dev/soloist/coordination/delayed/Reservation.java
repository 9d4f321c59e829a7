package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The answer to reserving. */
public sealed interface Reservation {

    /**
     * Tasks the caller holds from now on; perhaps none.
     *
     * @param tasks each due, with a receipt of its own; visible to others again one visibility after this call was sent,
     *     at the earliest
     * @param more whether asking again at once may bring more
     * @param redisNow when Redis handed them out
     * @param closedFor from then on, so long nobody is given a task of this job, because of its rate limit; zero if the
     *     limit leaves room
     */
    record Reserved(List<ReservedTask> tasks, boolean more, Instant redisNow, Duration closedFor)
            implements Reservation {

        /** Of a job without a rate limit, or with room in it. */
        public Reserved(List<ReservedTask> tasks, boolean more, Instant redisNow) {
            this(tasks, more, redisNow, Duration.ZERO);
        }
    }

    /** Nothing was handed out: the instance is fenced or unknown, and has to register as a new one. */
    record Fenced() implements Reservation {}
}
