package dev.soloist.coordination.delayed;

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
     */
    record Reserved(List<ReservedTask> tasks, boolean more, Instant redisNow) implements Reservation {}

    /** Nothing was handed out: the instance is fenced or unknown, and has to register as a new one. */
    record Fenced() implements Reservation {}
}
