package dev.soloist.coordination.testkit;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.cas.CasEngine;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.LuaScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does to the keys inside the one string what redis-cli does to keys, by scripts of one command. */
public final class CasTampering {

    private static final Set<String> OF_THE_SERVER = Set.of("PUBLISH", "TIME", "FLUSHALL");

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final RedisLink link;

    /** Works over the link to a stand-in, or to the server behind it to look only. */
    public CasTampering(RedisLink link) {
        this.link = link;
    }

    /** As {@link RedisLink#call}. */
    public List<Object> call(String command, String... arguments) {
        if (OF_THE_SERVER.contains(command)) {
            return link.call(command, arguments);
        }
        if (command.equals("DBSIZE")) {
            return List.of(count());
        }
        List<String> words = new ArrayList<>(List.of(arguments));
        String key = words.removeFirst();
        return switch (command) {
            case "PERSIST" -> run(key, "return redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]))", List.of());
            case "SET" -> run(key, set(words), words);
            default -> run(key, "return redis.call('" + command + "', KEYS[1], unpack(ARGV))", words);
        };
    }

    /** All keys inside all strings. */
    private long count() {
        long count = 0;
        for (Object name : link.call("KEYS", "*")) {
            Object whole = link.call("GET", new String((byte[]) name, StandardCharsets.UTF_8))
                    .getFirst();
            try {
                count += MAPPER.readTree((byte[]) whole).path("keys").size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return count;
    }

    private static String set(List<String> words) {
        return words.contains("PX")
                ? "local t = redis.call('TIME') return redis.call('SET', KEYS[1], ARGV[1], 'PXAT', "
                        + "string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[3]))"
                : "return redis.call('SET', KEYS[1], ARGV[1])";
    }

    private List<Object> run(String key, String text, List<String> words) {
        var script = new LuaScript("tampering.lua", text, text, 1, LuaScript.ANY);
        byte[][] values = words.stream()
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        @Nullable Object reply = new CasEngine(link).eval(script, List.of(key), values);
        return reply instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>(Arrays.asList(reply));
    }
}
