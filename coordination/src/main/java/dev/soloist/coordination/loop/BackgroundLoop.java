package dev.soloist.coordination.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one loop that every background activity uses: it runs a step, waits as long as the step said or until it is woken,
 * and runs it again. A step that throws is reported, and repeated after a growing wait; it never ends the loop. A wake
 * that comes while the step runs is not lost. Thread-safe.
 */
public final class BackgroundLoop implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(BackgroundLoop.class);
    private static final Backoff AFTER_ERROR = new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(5));

    /** One turn of the loop. */
    @FunctionalInterface
    public interface Step {

        /**
         * Does what there is to do.
         *
         * @return how long to wait before the next turn unless woken; zero for at once
         */
        Duration runOnce() throws InterruptedException;
    }

    private final String name;
    private final Step step;
    private final Consumer<RuntimeException> onError;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean wakePending;
    private volatile boolean closed;

    /**
     * A loop on a virtual thread, not started yet.
     *
     * @param name shown in logs and thread dumps
     * @param onError hears of every exception, for metrics; the loop itself logs it
     */
    public BackgroundLoop(String name, Step step, Consumer<RuntimeException> onError) {
        this(name, step, onError, Thread.ofVirtual());
    }

    /** As the other, on a thread of the given kind: a platform thread where starving would cost a lease. */
    public BackgroundLoop(String name, Step step, Consumer<RuntimeException> onError, Thread.Builder threads) {
        this.name = name;
        this.step = step;
        this.onError = onError;
        this.thread = threads.name(name).unstarted(this::run);
    }

    /** Starts the loop and returns it. */
    public BackgroundLoop start() {
        thread.start();
        return this;
    }

    /** Makes the next turn come at once; many wakes before it make one turn. */
    public void wake() {
        lock.lock();
        try {
            wakePending = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the loop: interrupts its step and waits a little until it has ended. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        if (thread == Thread.currentThread() || thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            if (!thread.join(Duration.ofSeconds(5))) {
                LOGGER.warn("{} did not end within 5 s; it is left behind", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        int errors = 0;
        while (!closed) {
            try {
                Duration wait;
                try {
                    wait = step.runOnce();
                    errors = 0;
                } catch (RuntimeException e) {
                    errors++;
                    report(e, errors);
                    wait = AFTER_ERROR.jittered(errors);
                }
                pause(wait);
            } catch (InterruptedException e) {
                if (closed) {
                    return;
                }
                LOGGER.warn("{} was interrupted from outside; it goes on", name);
            }
        }
    }

    private void report(RuntimeException e, int errors) {
        if (closed) {
            return;
        }
        if (errors == 1) {
            LOGGER.warn("{} failed and goes on after a wait: {}", name, e.toString());
            LOGGER.debug("{}", name, e);
        }
        try {
            onError.accept(e);
        } catch (RuntimeException fromObserver) {
            LOGGER.warn("{}: the error observer failed", name, fromObserver);
        }
    }

    private void pause(Duration wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = wait.toNanos();
            while (!wakePending && left > 0 && !closed) {
                left = woken.awaitNanos(left);
            }
            wakePending = false;
        } finally {
            lock.unlock();
        }
    }
}
