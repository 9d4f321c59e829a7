package dev.soloist.sidecar.broadcast;

import dev.soloist.coordination.broadcast.Broadcast;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Broadcasts between the client's thread, which never waits here, and those who hand them to the app. Holds a bounded number of them
 * and of their bytes, and remembers the latest ids, so that a copy is known. Thread-safe.
 */
final class Mailbox {

    /** What became of an offer. */
    enum Offer {
        TAKEN,
        /** One with this id was offered before. */
        REPEATED,
        /** There is no room. */
        DROPPED
    }

    static final int MOST = 256;
    static final long MOST_BYTES = 2L * 1024 * 1024;
    private static final int REMEMBERED = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Broadcast> waiting = new ArrayDeque<>();
    private final LinkedHashMap<String, Boolean> seen = new LinkedHashMap<>();
    private long bytes;
    private boolean closed;

    Offer offer(Broadcast broadcast) {
        lock.lock();
        try {
            if (closed) {
                return Offer.DROPPED;
            }
            if (seen.putIfAbsent(broadcast.id(), true) != null) {
                return Offer.REPEATED;
            }
            if (seen.size() > REMEMBERED) {
                seen.pollFirstEntry();
            }
            int size = broadcast.payload().bytes().length;
            if (waiting.size() == MOST || bytes + size > MOST_BYTES) {
                return Offer.DROPPED;
            }
            bytes += size;
            waiting.add(broadcast);
            changed.signal();
            return Offer.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next one; empty when there will be none any more. */
    Optional<Broadcast> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.await();
            }
            Broadcast next = waiting.poll();
            if (next != null) {
                bytes -= next.payload().bytes().length;
            }
            return Optional.ofNullable(next);
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more and forgets what waits; returns how many that were. */
    int close() {
        lock.lock();
        try {
            int left = waiting.size();
            waiting.clear();
            bytes = 0;
            closed = true;
            changed.signalAll();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
