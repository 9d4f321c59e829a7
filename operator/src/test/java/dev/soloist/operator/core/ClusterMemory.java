package dev.soloist.operator.core;

import java.util.concurrent.atomic.AtomicReference;

/** What Kubernetes keeps of one job: whoever writes must have read the version that is there, as with the real status. */
final class ClusterMemory {

    /** A memory and the version under which it was read. */
    record Version(long number, Memory memory) {}

    private final AtomicReference<Version> kept = new AtomicReference<>(new Version(1, Memory.NONE));

    Version read() {
        return kept.get();
    }

    /** Whether it was written: not if somebody else has written since the version was read. */
    boolean write(Version basedOn, Memory next) {
        return next.equals(basedOn.memory()) || kept.compareAndSet(basedOn, new Version(basedOn.number() + 1, next));
    }

    long term() {
        return read().memory().term();
    }
}
