package dev.soloist.coordination.schedule;

import java.time.Instant;

/** When a job is due. Implementations are immutable, thread-safe and pure. */
public sealed interface Schedule permits Every, Cron {

    /**
     * The first slot of an unbroken series that lies after both instants.
     *
     * @param slot the slot that has just been used, or the start of the series
     * @param now Redis' time; slots up to it have been missed and are passed over without being walked
     */
    Instant next(Instant slot, Instant now);

    /**
     * How many slots after the given one have come by now: as many runs did not start.
     *
     * @param most where to stop counting
     */
    default int missed(Instant slot, Instant now, int most) {
        int count = 0;
        for (Instant later = next(slot, slot); !later.isAfter(now) && count < most; later = next(later, later)) {
            count++;
        }
        return count;
    }

    /** The first slot of a new series that begins now. */
    Instant first(Instant now);

    /** The schedule as one text; two schedules are the same when their texts are. */
    String text();

    /**
     * Reads what {@link #text()} wrote.
     *
     * @throws InvalidSchedule if the text is no schedule
     */
    static Schedule parse(String text) {
        if (text.startsWith(Every.PREFIX)) {
            return Every.parse(text);
        }
        if (text.startsWith(Cron.PREFIX)) {
            return Cron.parse(text);
        }
        throw new InvalidSchedule("'" + text + "' is neither 'every …' nor 'cron …'");
    }
}
