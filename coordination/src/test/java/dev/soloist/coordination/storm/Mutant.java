package dev.soloist.coordination.storm;

import dev.soloist.coordination.script.LuaScript;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/**
 * A small break of one script, to see whether the storm finds it.
 *
 * @param name what is wrong then
 * @param script family and verb, such as {@code singleton/claim}
 * @param from text that stands in the script once
 * @param to what stands there instead
 */
record Mutant(String name, String script, String from, String to) implements UnaryOperator<LuaScript> {

    @Override
    public LuaScript apply(LuaScript original) {
        if (!original.name().endsWith("/" + script + ".lua")) {
            return original;
        }
        String text = original.text().replace(from, to);
        return new LuaScript(original.name(), text, sha1(text), original.keys(), original.arguments());
    }

    /** How often the text to be replaced stands in the script. */
    int places(String text) {
        return text.split(java.util.regex.Pattern.quote(from), -1).length - 1;
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
