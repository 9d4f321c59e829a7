package dev.soloist.coordination.cas;

import dev.soloist.coordination.link.RedisUnavailable;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** How long one call goes on when others are quicker: with growing, jittered pauses, two seconds in all. */
final class Patience {

    private static final long LIMIT = Duration.ofSeconds(2).toNanos();
    private static final long FIRST = Duration.ofMillis(1).toNanos();
    private static final int DOUBLINGS = 6;

    private final long start = System.nanoTime();
    private int tries;

    /**
     * Waits before the next try.
     *
     * @throws RedisUnavailable if there is to be none
     */
    void another(String key) {
        if (System.nanoTime() - start > LIMIT) {
            throw RedisUnavailable.refused(
                    key + " was changed by others at each of " + (tries + 1) + " tries in two seconds");
        }
        long most = FIRST << Math.min(tries, DOUBLINGS);
        tries++;
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }
}
