package dev.soloist.coordination.cas;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The server's time as one call sees it. It is read before the string, so that others have less time to change the string
 * between its reading and its writing, and serves further tries for a tenth of a second. Not thread-safe.
 */
final class Moment {

    private static final long FRESH = Duration.ofMillis(100).toNanos();

    private final CasCommands server;
    private Optional<Instant> read = Optional.empty();
    private long readAt;

    Moment(CasCommands server) {
        this.server = server;
    }

    /** The server's time, not long ago. */
    Instant get() {
        if (read.isEmpty()) {
            readAt = System.nanoTime();
            read = Optional.of(server.time());
        }
        return read.get();
    }

    /** Before a further try. */
    void forgetIfOld() {
        if (System.nanoTime() - readAt > FRESH) {
            forget();
        }
    }

    void forget() {
        read = Optional.empty();
    }
}
