package dev.soloist.operator.local;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One container of a pod: a process, or the next one after it. Thread-safe.
final class ContainerProcess {

    private final String name;
    private volatile @Nullable Process process;

    ContainerProcess(String name) {
        this.name = name;
    }

    /// @param onEnd hears the name when this process ends
    void started(Process started, Consumer<String> onEnd) {
        process = started;
        var _ = started.onExit().thenAccept(_ -> onEnd.accept(name));
    }

    boolean isAlive() {
        var current = process;
        return current != null && current.isAlive();
    }

    void kill() {
        var current = process;
        if (current != null) {
            current.destroyForcibly();
        }
    }
}
