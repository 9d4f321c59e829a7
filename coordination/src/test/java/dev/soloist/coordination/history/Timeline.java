package dev.soloist.coordination.history;

import dev.soloist.coordination.link.RedisLink;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Redis' clock in microseconds, carried forward by this JVM's monotonic clock. Immutable. */
public final class Timeline {

    private static final int READINGS = 20;

    private final long offsetMicros;

    /** Reads the clock of a server that is near; the reading with the shortest way counts. */
    public Timeline(RedisLink link) {
        long best = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < READINGS; i++) {
            long sent = System.nanoTime();
            Instant now = link.now();
            long took = System.nanoTime() - sent;
            if (took < best) {
                best = took;
                offset = ChronoUnit.MICROS.between(Instant.EPOCH, now) - (sent + took / 2) / 1000;
            }
        }
        this.offsetMicros = offset;
    }

    /** Now. */
    public long micros() {
        return micros(System.nanoTime());
    }

    /** The moment of a reading of {@link System#nanoTime}. */
    public long micros(long nanos) {
        return nanos / 1000 + offsetMicros;
    }
}
