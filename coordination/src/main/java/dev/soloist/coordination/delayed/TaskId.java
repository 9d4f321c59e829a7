package dev.soloist.coordination.delayed;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A task's name within its job: 1 to 256 bytes, any at all, compared byte by byte. Two texts that look alike but differ in
 * bytes (composed and decomposed accents) are two ids. Immutable.
 */
public final class TaskId {

    /** The longest id, in bytes. */
    public static final int MAX_BYTES = 256;

    private final byte[] bytes;

    private TaskId(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a task id has 1 to " + MAX_BYTES + " bytes, this one has " + bytes.length);
        }
        this.bytes = bytes;
    }

    /**
     * An id by its text in UTF-8.
     *
     * @throws IllegalArgumentException if it is empty or too long
     */
    public static TaskId of(String text) {
        return new TaskId(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * An id by its bytes, which need not be text.
     *
     * @throws IllegalArgumentException if there are none or too many
     */
    public static TaskId fromBytes(byte[] bytes) {
        return new TaskId(bytes.clone());
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The id as text; bytes that are not UTF-8 show as replacement characters, so it may not lead back to the id. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TaskId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return text();
    }
}
