package dev.soloist.coordination.key;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Names one intention of a caller, so that a call whose answer was lost can be repeated without being done twice.
 * Immutable.
 */
public record Nonce(String value) {

    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it is empty or holds the separator of lease values
     */
    public Nonce {
        if (value.isEmpty() || value.indexOf('|') >= 0) {
            throw new IllegalArgumentException("a nonce is a text without '|'");
        }
    }

    /** A nonce that nobody has used: 96 random bits. */
    public static Nonce create() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return new Nonce(HexFormat.of().formatHex(bytes));
    }

    @Override
    public String toString() {
        return value;
    }
}
