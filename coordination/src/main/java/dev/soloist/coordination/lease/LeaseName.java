package dev.soloist.coordination.lease;

import java.nio.charset.StandardCharsets;

/** What a lease is for, within its namespace: any text of 1 to 256 bytes of UTF-8. It never enters a key. Immutable. */
public record LeaseName(String text) {

    /** The longest name, in bytes. */
    public static final int MAX_BYTES = 256;

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is empty or too long
     */
    public LeaseName {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a lease's name has 1 to " + MAX_BYTES + " bytes, this one has " + bytes);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
