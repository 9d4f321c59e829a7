package dev.soloist.coordination.link;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How connections are encrypted. The texts are checked when this is made, so that a mistake is told where it was made.
 * Immutable.
 *
 * @param ca certificates in PEM that the server's must come from, or null for those that the JDK trusts
 * @param certificate our own certificate and its chain in PEM, or null if the server wants none
 * @param key the private key of our certificate in PEM, not encrypted; null if and only if there is no certificate
 * @param verification what is checked of the server's certificate
 */
public record Tls(
        @Nullable String ca,
        @Nullable String certificate,
        @Nullable String key,
        Verification verification) {

    /** What is checked of the server's certificate. */
    public enum Verification {
        /** That it comes from the CA and carries the name that was dialled. */
        FULL,
        /** That it comes from the CA, whatever name it carries. */
        CA,
        /** Nothing: whoever answers is believed. */
        NONE
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException with a sentence that says which text cannot be used, and why
     */
    public Tls {
        if (ca != null) {
            var _ = Pem.certificates(ca, "ca.crt");
        }
        if (certificate != null && key == null) {
            throw new IllegalArgumentException("tls.crt is given, but tls.key is not");
        }
        if (certificate == null && key != null) {
            throw new IllegalArgumentException("tls.key is given, but tls.crt is not");
        }
        if (certificate != null && key != null) {
            Pem.checkPair(Pem.certificates(certificate, "tls.crt").getFirst(), Pem.privateKey(key, "tls.key"));
        }
    }

    /** Never shows the key. */
    @Override
    public String toString() {
        return "Tls[" + verification + (certificate == null ? "" : ", own certificate") + ", "
                + Integer.toHexString(Objects.hash(ca, certificate)) + "]";
    }
}
