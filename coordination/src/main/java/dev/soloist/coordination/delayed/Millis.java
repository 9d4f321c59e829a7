package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.time.Instant;

/** Whole milliseconds for the server. What is not whole is rounded up, so that nothing happens early. Pure. */
public final class Millis {

    /** Far beyond every limit, and still exact as a Lua number. */
    private static final long CEILING = 1L << 52;

    private Millis() {}

    /** A span; what is beyond every limit becomes a number beyond every limit that is still exact. */
    public static long of(Duration span) {
        if (span.toSeconds() > CEILING / 1000) {
            return CEILING;
        }
        return span.plusNanos(999_999).toMillis();
    }

    /** An instant, not before the epoch. */
    public static long of(Instant instant) {
        long seconds = Math.clamp(instant.getEpochSecond(), 0, CEILING / 1000);
        return seconds * 1000 + (instant.getNano() + 999_999) / 1_000_000;
    }

    /** The word by which scripts tell a delay from an instant. */
    static String kind(When when) {
        return switch (when) {
            case When.After after -> "IN";
            case When.At at -> "AT";
        };
    }

    static long of(When when) {
        return switch (when) {
            case When.After after -> of(after.delay());
            case When.At at -> of(at.instant());
        };
    }
}
