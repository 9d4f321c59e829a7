package dev.soloist.coordination.delayed;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * A request key as it is stored: always 22 safe characters, whatever the caller sent, so that no key can break the form of
 * a record or fill the memory. Pure.
 */
public final class RequestDigest {

    private RequestDigest() {}

    /** The digest of a request key. */
    public static String of(String requestKey) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(requestKey.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, 16));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
