package dev.soloist.coordination.history;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Whether somebody set the machine's clock, which a server on it goes by, while something was measured. What leases and moments
 * promise holds for a clock that is not set, so nothing is to be judged then. Immutable.
 */
public final class WallClock {

    private static final int READINGS = 200;
    private static final long NEAR_MICROS = 1000;

    private final long offset = offsetMicros();

    /** Whether it was set since this was made, by a millisecond or more. */
    public boolean wasSet() {
        return Math.abs(offsetMicros() - offset) > NEAR_MICROS;
    }

    /** The reading between two of the monotonic clock that are closest counts: a thread may stand still between any two. */
    private static long offsetMicros() {
        long best = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < READINGS; i++) {
            long before = System.nanoTime();
            Instant now = Instant.now();
            long took = System.nanoTime() - before;
            if (took < best) {
                best = took;
                offset = ChronoUnit.MICROS.between(Instant.EPOCH, now) - before / 1000;
            }
        }
        return offset;
    }
}
