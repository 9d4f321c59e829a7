package dev.soloist.coordination.schedule;

import java.time.Duration;
import java.time.Instant;

/**
 * A fixed rate, anchored on the slots themselves: a late run does not shift the ones after it.
 *
 * @param period at least one millisecond
 */
public record Every(Duration period) implements Schedule {

    static final String PREFIX = "every ";

    /**
     * Checks the period.
     *
     * @throws InvalidSchedule if it is shorter than a millisecond
     */
    public Every {
        if (period.toMillis() < 1) {
            throw new InvalidSchedule("schedule.every must be a positive duration such as 30s");
        }
    }

    @Override
    public Instant next(Instant slot, Instant now) {
        long step = period.toMillis();
        long behind = Math.max(0, now.toEpochMilli() - slot.toEpochMilli());
        return slot.plusMillis((behind / step + 1) * step);
    }

    @Override
    public int missed(Instant slot, Instant now, int most) {
        long behind = Math.max(0, now.toEpochMilli() - slot.toEpochMilli());
        return (int) Math.min(behind / period.toMillis(), most);
    }

    @Override
    public Instant first(Instant now) {
        return now.plus(period);
    }

    @Override
    public String text() {
        return PREFIX + period.toMillis();
    }

    static Every parse(String text) {
        try {
            return new Every(Duration.ofMillis(Long.parseLong(text.substring(PREFIX.length()))));
        } catch (NumberFormatException e) {
            throw new InvalidSchedule("'" + text + "' does not name a number of milliseconds");
        }
    }
}
