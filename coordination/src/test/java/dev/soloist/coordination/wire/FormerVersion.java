package dev.soloist.coordination.wire;

import dev.soloist.coordination.script.LuaScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the former version wrote, and each script as it was; one that is new stays as it is. Stateless. */
public final class FormerVersion implements UnaryOperator<LuaScript> {

    @Override
    public LuaScript apply(LuaScript script) {
        String file = script.name().replaceFirst("^dev/soloist/coordination/", "");
        return read(file)
                .map(text -> new LuaScript(script.name(), text, sha1(text), script.keys(), script.arguments()))
                .orElse(script);
    }

    /** The text of a file of it. */
    static Optional<String> read(String file) {
        try (InputStream in = FormerVersion.class.getResourceAsStream("/wire/former/" + file)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
