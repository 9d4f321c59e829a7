package dev.soloist.coordination.delayed;

import dev.soloist.coordination.job.ReleaseOn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A wish that work of one key is not taken twice. The key belongs to the task that was accepted with it: while that lives,
 * and when it was handled for what is left of the window. A task that is cancelled, or removed from the dead letters, frees
 * its key at once. Immutable.
 *
 * @param key what counts as the same; by default the id of the task
 * @param window from the acceptance
 * @param releaseOn what becomes of the key when the task dies
 */
public record OnceWithin(TaskId key, Duration window, ReleaseOn releaseOn) {

    /**
     * Checks the window.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public OnceWithin {
        if (!window.isPositive()) {
            throw new IllegalArgumentException("a window is positive");
        }
    }

    /** As scripts read it. */
    static byte[] argument(@Nullable OnceWithin once) {
        if (once == null) {
            return new byte[0];
        }
        byte[] before = (Millis.of(once.window) + "|" + once.releaseOn + "|").getBytes(StandardCharsets.US_ASCII);
        byte[] key = once.key.bytes();
        return ByteBuffer.allocate(before.length + key.length)
                .put(before)
                .put(key)
                .array();
    }
}
