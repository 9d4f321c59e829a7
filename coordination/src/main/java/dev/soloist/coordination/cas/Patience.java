package dev.soloist.coordination.cas;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** How long one call goes on when others are quicker or answers are lost: with growing, jittered pauses, two seconds. */
final class Patience {

    private static final long LIMIT = Duration.ofSeconds(2).toNanos();
    private static final long FIRST = Duration.ofMillis(1).toNanos();
    private static final int DOUBLINGS = 6;

    private final long start = System.nanoTime();
    private int tries = 1;

    /** How often it was tried so far. */
    int tries() {
        return tries;
    }

    /** Waits before the next try; returns false, at once, if there is to be none. */
    boolean another() {
        if (System.nanoTime() - start > LIMIT || Thread.currentThread().isInterrupted()) {
            return false;
        }
        long most = FIRST << Math.min(tries, DOUBLINGS);
        tries++;
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
        return true;
    }
}
