package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How long one call reads a record again when its compare-and-set found another one: with growing, jittered pauses, two
 * seconds. Somebody else wins each round of an honest contest; a server that shows what it does not compare with, from a
 * cache or a replica, lets nobody win any. Not thread-safe.
 */
final class Contest {

    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(1), 2, Duration.ofMillis(64));

    private final TaskId id;
    private final long start = System.nanoTime();
    private int lost;

    Contest(TaskId id) {
        this.id = id;
    }

    /**
     * Waits before the next round.
     *
     * @throws RedisUnavailable of kind REFUSED if there is to be none; the last round changed nothing
     */
    void again() {
        lost++;
        if (System.nanoTime() - start > LIMIT.toNanos()
                || Thread.currentThread().isInterrupted()) {
            throw RedisUnavailable.refused("task " + id.text() + " was another one at each of " + lost
                    + " tries to change it than the server had shown just before; it must not answer from a cache"
                    + " (Pika: cache-model 0)");
        }
        LockSupport.parkNanos(PAUSES.jittered(lost).toNanos());
    }
}
