package dev.soloist.sidecar.history;

import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.Timeline;
import java.time.Duration;

/** Notes when this machine stood still for so long that a pod may have acted late for that alone. */
final class SoakStalls implements AutoCloseable {

    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration STALL = Duration.ofMillis(250);
    /** A stall of one process may begin before and end after that of another. */
    private static final long AROUND_MICROS = 1_000_000;

    private final Thread thread;

    SoakStalls(History history, Timeline time) {
        this.thread = Thread.ofPlatform().daemon().name("stalls").start(() -> watch(history, time));
    }

    private static void watch(History history, Timeline time) {
        long last = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(TICK);
                long now = System.nanoTime();
                if (now - last > STALL.toNanos()) {
                    history.add(new Event.Fault(
                            time.micros(last) - AROUND_MICROS, "STALL", "", time.micros(now) + AROUND_MICROS));
                }
                last = now;
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
