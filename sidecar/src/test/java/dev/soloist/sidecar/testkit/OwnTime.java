package dev.soloist.sidecar.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still while this process does: a machine that takes its cores away for some seconds makes nothing late by it.
 * For spans that something in this process must keep. Thread-safe.
 */
public final class OwnTime {

    private static final long TICK = Duration.ofMillis(20).toNanos();
    private static final long STAND_STILL = Duration.ofMillis(60).toNanos();

    private static long last = System.nanoTime();
    private static long stoodStill;

    static {
        Thread.ofPlatform().daemon().name("own-time").start(() -> {
            while (true) {
                LockSupport.parkNanos(TICK);
                nanos();
            }
        });
    }

    private OwnTime() {}

    /** A reading, of use only beside another. */
    public static synchronized long nanos() {
        long now = System.nanoTime();
        if (now - last > STAND_STILL) {
            stoodStill += now - last - TICK;
        }
        last = now;
        return now - stoodStill;
    }

    /** How long this process stood still up to now. */
    public static synchronized Duration stoodStill() {
        nanos();
        return Duration.ofNanos(stoodStill);
    }

    /** What has passed since a reading. */
    public static Duration since(long nanos) {
        return Duration.ofNanos(nanos() - nanos);
    }
}
