package dev.soloist.coordination.event;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The place of an event in its log. Places rise by time first; the ordinals of a log have no gaps, so that two places tell whether
 * anything stood between them. Immutable.
 *
 * @param millis when it was written, by the Redis clock; never lower than that of the event before
 * @param ordinal how many events were ever written up to this one, since the log was begun
 */
public record EventId(long millis, long ordinal) implements Comparable<EventId> {

    /** Before every event. */
    public static final EventId START = new EventId(0, 0);

    private static final Pattern FORM = Pattern.compile("(0|[1-9][0-9]{0,15})-(0|[1-9][0-9]{0,15})");

    /** Checks the values. */
    public EventId {
        if (millis < 0 || ordinal < 0) {
            throw new IllegalArgumentException("an event id has no negative part: " + millis + "-" + ordinal);
        }
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is no event id
     */
    public static EventId parse(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("an event id is two numbers with a hyphen between them, not " + text);
        }
        return new EventId(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
    }

    /** When it was written. */
    public Instant at() {
        return Instant.ofEpochMilli(millis);
    }

    @Override
    public int compareTo(EventId other) {
        return millis != other.millis ? Long.compare(millis, other.millis) : Long.compare(ordinal, other.ordinal);
    }

    /** As Redis writes the ids of a stream. */
    @Override
    public String toString() {
        return millis + "-" + ordinal;
    }
}
