package dev.soloist.operator.local;

import java.util.ArrayDeque;
import java.util.Deque;

/// What must be undone at the end, the last first; also when the JVM is told to end. Thread-safe.
final class Cleanup implements AutoCloseable {

    private final Deque<AutoCloseable> steps = new ArrayDeque<>();
    private boolean done;
    private volatile boolean fromOutside;

    /// A cleanup that also runs when the JVM ends by Ctrl-C or a signal.
    static Cleanup atExit() {
        var cleanup = new Cleanup();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            cleanup.fromOutside = true;
            cleanup.close();
        }));
        return cleanup;
    }

    /// Whether the end came by Ctrl-C or a signal: what fails from then on fails because of it.
    boolean fromOutside() {
        return fromOutside;
    }

    /// Remembers a step, and returns it. After the end it is undone at once: the caller comes too late.
    <T extends AutoCloseable> T add(T step) {
        boolean late;
        synchronized (this) {
            late = done;
            if (!late) {
                steps.push(step);
            }
        }
        if (late) {
            undo(step);
            throw new IllegalStateException("ending");
        }
        return step;
    }

    /// Undoes everything once. A second caller waits until the first is through.
    @Override
    public synchronized void close() {
        done = true;
        while (!steps.isEmpty()) {
            undo(steps.pop());
        }
    }

    private static void undo(AutoCloseable step) {
        try {
            step.close();
        } catch (Exception e) {
            System.err.println("could not clean up: " + e);
        }
    }
}
