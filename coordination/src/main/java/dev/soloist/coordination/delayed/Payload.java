package dev.soloist.coordination.delayed;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a task carries: bytes that nobody here reads, and the content type the app is told. The array is not copied: whoever
 * hands it over leaves it alone from then on.
 */
public final class Payload {

    private static final int MAX_CONTENT_TYPE = 256;

    private final byte[] bytes;
    private final String contentType;

    private Payload(byte[] bytes, String contentType) {
        if (contentType.length() > MAX_CONTENT_TYPE) {
            throw new IllegalArgumentException("a content type has at most " + MAX_CONTENT_TYPE + " characters");
        }
        this.bytes = bytes;
        this.contentType = contentType;
    }

    /**
     * A payload.
     *
     * @throws IllegalArgumentException if the content type is absurdly long
     */
    public static Payload of(byte[] bytes, String contentType) {
        return new Payload(bytes, contentType);
    }

    /** The bytes themselves, not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** What the bytes are, for instance {@code application/json}. */
    public String contentType() {
        return contentType;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that
                && Arrays.equals(bytes, that.bytes)
                && contentType.equals(that.contentType);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bytes) + contentType.hashCode();
    }

    @Override
    public String toString() {
        return contentType + ", " + bytes.length + " bytes";
    }
}
