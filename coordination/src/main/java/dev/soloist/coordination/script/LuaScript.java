package dev.soloist.coordination.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua file with its contract: how many keys and arguments it takes. Immutable and thread-safe.
 *
 * @param name the file's path on the class path, for messages and metrics
 * @param text the script itself
 * @param sha the SHA-1 of the text in hexadecimal, by which the server knows it
 * @param keys the number of keys, or {@link #ANY} if it takes as many as it is given
 * @param arguments the number of arguments, or {@link #ANY}
 */
public record LuaScript(String name, String text, String sha, int keys, int arguments) {

    /** Stands for a number of keys or arguments that varies from call to call. */
    public static final int ANY = -1;

    /**
     * Reads a script from the folder of the anchor's package.
     *
     * @throws IllegalArgumentException if there is no such file
     */
    public static LuaScript load(Class<?> anchor, String file, int keys, int arguments) {
        String text = text(anchor, file);
        return new LuaScript(name(anchor, file), text, sha1(text.getBytes(StandardCharsets.UTF_8)), keys, arguments);
    }

    /**
     * The text of a file in the folder of the anchor's package.
     *
     * @throws IllegalArgumentException if there is no such file
     */
    public static String text(Class<?> anchor, String file) {
        try (InputStream in = anchor.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalArgumentException("no script " + name(anchor, file));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name(anchor, file), e);
        }
    }

    /**
     * One script that is this one with another inside it, which it carries out by {@code base()}. The inner one gets the
     * first keys and all arguments, this one the last keys as its own, beginning at 1, and all arguments as well.
     */
    public LuaScript around(LuaScript inner) {
        String text = """
                local function base()
                %s
                end
                local own = {}
                for i = 1, %d do own[i] = KEYS[#KEYS - %d + i] end
                local KEYS = own
                %s""".formatted(inner.text, keys, keys, this.text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int all = inner.keys == ANY ? ANY : inner.keys + keys;
        return new LuaScript(name, text, sha1(bytes), all, inner.arguments);
    }

    private static String name(Class<?> anchor, String file) {
        return anchor.getPackageName().replace('.', '/') + "/" + file;
    }

    /**
     * The same script behind a text that changes what it finds, with more keys and arguments behind its own.
     *
     * @param what is added to the name
     */
    public LuaScript behind(String prelude, String what, int moreKeys, int moreArguments) {
        String whole = prelude + text;
        return new LuaScript(
                name + " " + what,
                whole,
                sha1(whole.getBytes(StandardCharsets.UTF_8)),
                keys == ANY ? ANY : keys + moreKeys,
                arguments == ANY ? ANY : arguments + moreArguments);
    }

    void check(int givenKeys, int givenArguments) {
        if ((keys != ANY && keys != givenKeys) || (arguments != ANY && arguments != givenArguments)) {
            throw new IllegalArgumentException("%s takes %d keys and %d arguments, was given %d and %d"
                    .formatted(name, keys, arguments, givenKeys, givenArguments));
        }
    }

    private static String sha1(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
