package dev.soloist.operator.core;

import dev.soloist.coordination.singleton.Fence;
import org.jspecify.annotations.Nullable;

/** The last fence that was given, whatever server gave it. Thread-safe. */
final class RisingFences {

    private @Nullable Fence last;

    /** @throws AssertionError if it is not above all before it */
    synchronized void given(Fence fence) {
        if (last != null && fence.compareTo(last) <= 0) {
            throw new AssertionError("fence " + fence + " was given after " + last);
        }
        last = fence;
    }
}
