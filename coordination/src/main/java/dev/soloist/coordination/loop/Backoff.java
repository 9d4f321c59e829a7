package dev.soloist.coordination.loop;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Waits that grow from attempt to attempt: {@code initial * factor^(attempt-1)}, at most {@code max}. Immutable.
 *
 * @param initial the wait after the first failure
 * @param factor at least 1
 * @param max no wait is longer
 */
public record Backoff(Duration initial, double factor, Duration max) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public Backoff {
        if (initial.isNegative() || initial.isZero()) {
            throw new IllegalArgumentException("backoff.initial must be positive");
        }
        if (factor < 1 || !Double.isFinite(factor)) {
            throw new IllegalArgumentException("backoff.factor must be at least 1");
        }
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("backoff.max must be at least backoff.initial");
        }
    }

    /** The wait after the given failed attempt, counted from 1; a smaller number counts as 1. */
    public Duration delay(int attempt) {
        double millis = initial.toMillis() * Math.pow(factor, Math.max(0, attempt - 1));
        return millis >= max.toMillis() ? max : Duration.ofMillis((long) millis);
    }

    /** A wait between half and the whole of {@link #delay(int)}, so that many who failed together come back apart. */
    public Duration jittered(int attempt) {
        long whole = Math.max(1, delay(attempt).toNanos());
        return Duration.ofNanos(whole - ThreadLocalRandom.current().nextLong(whole / 2 + 1));
    }
}
