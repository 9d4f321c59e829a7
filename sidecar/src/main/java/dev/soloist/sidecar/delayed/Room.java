package dev.soloist.sidecar.delayed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many tasks this pod handles at a time, whichever shard they are of. Who finds no room stands in a line and is woken in its
 * turn, so no shard with much to do keeps another waiting. Thread-safe.
 */
final class Room {

    /** The heap is small: payloads at work, beside the batch that is on its way. */
    private static final long MOST_BYTES = 4L * 1024 * 1024;

    private final DelayedJob job;
    private final Set<Delivery> running = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Consumer> line = new ArrayDeque<>();
    /** Places of reservations under way. */
    private int promised;

    Room(DelayedJob job) {
        this.job = job;
    }

    /** Deliveries that are at work now. */
    Set<Delivery> running() {
        return running;
    }

    /**
     * Takes places for a reservation; none means that the asker is woken when there are some.
     *
     * @param shares among how many shards the room is shared: one that does not answer must not hold all of it
     */
    int take(Consumer asker, int most, int shares) {
        lock.lock();
        try {
            int free = free();
            if (free <= 0) {
                if (!line.contains(asker)) {
                    line.add(asker);
                }
                return 0;
            }
            line.remove(asker);
            int taken = Math.min(most, Math.max(1, free / shares));
            promised += taken;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** A reservation is answered: what it brought is running by now. */
    void arrived(int taken) {
        lock.lock();
        try {
            promised -= taken;
        } finally {
            lock.unlock();
        }
        wakeNext();
    }

    /** A delivery is over. Its consumer may have more to do, after those that wait. */
    void ended(Delivery delivery, Consumer consumer) {
        running.remove(delivery);
        if (!wakeNext()) {
            consumer.wake();
        }
    }

    void forget(Consumer consumer) {
        lock.lock();
        try {
            line.remove(consumer);
        } finally {
            lock.unlock();
        }
        wakeNext();
    }

    /** Whether there was anybody. */
    private boolean wakeNext() {
        lock.lock();
        try {
            var next = free() > 0 ? line.poll() : null;
            if (next != null) {
                next.wake();
            }
            return next != null;
        } finally {
            lock.unlock();
        }
    }

    private int free() {
        boolean full = running.stream().mapToLong(Delivery::bytes).sum() >= MOST_BYTES;
        return full ? 0 : job.work().concurrency() - running.size() - promised;
    }
}
