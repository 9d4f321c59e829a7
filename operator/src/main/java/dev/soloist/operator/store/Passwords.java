package dev.soloist.operator.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The passwords of a namespace's user that are valid now.
///
/// @param current the one that the Secret tells
/// @param former SHA-256 digests, in hexadecimal, of those that it told before: sidecars may not have followed yet
record Passwords(String current, List<String> former) {

    /// Where there is no user.
    static final Passwords NONE = new Passwords("", List.of());

    private static final SecureRandom RANDOM = new SecureRandom();

    Passwords {
        former = List.copyOf(former);
    }

    boolean isNone() {
        return current.isEmpty();
    }

    /// As `ACL SETUSER` takes them.
    List<String> rules() {
        var rules = new ArrayList<String>();
        rules.add(">" + current);
        former.forEach(digest -> rules.add("#" + digest));
        return rules;
    }

    /// A password of 192 random bits.
    static String random() {
        var bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// As Redis keeps passwords. Of a random one of 192 bits the digest gives nothing away.
    static String digest(String password) {
        try {
            var sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(password.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public String toString() {
        return "Passwords[current, and " + former.size() + " former]";
    }
}
