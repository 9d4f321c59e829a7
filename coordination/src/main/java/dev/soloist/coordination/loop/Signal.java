package dev.soloist.coordination.loop;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Wakes those who wait for a fact that others bring about. Thread-safe. */
public final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();

    /** Says that something has changed; whoever waits looks again. To be called after the change. */
    public void raise() {
        lock.lock();
        try {
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a fact.
     *
     * @param fact looked at now and after each {@link #raise()}; must be quick
     * @param endNanos the {@link System#nanoTime()} at which nobody waits any more
     * @return whether it has come about
     */
    public boolean await(BooleanSupplier fact, long endNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!fact.getAsBoolean()) {
                long left = endNanos - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                var _ = raised.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
