package dev.soloist.coordination.cas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.LuaScript;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs scripts and the engine that needs none, fed with the same calls at the same moment: both must answer
 * alike and hold the same. Texts are of one character per byte.
 */
final class Twins {

    /** Stands for every error that a script raised instead of returning it. */
    static final String ERROR = "error";

    /** The server's own clock goes on between our reading it and the script: an end or a rest may differ by this much. */
    private static final long TOLERANCE = 10_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final RedisLink server;
    private final RedisLink pika;
    private final CasEngine engine;
    private Instant now;

    Twins(RedisLink server, RedisLink pika) {
        this.server = server;
        this.pika = pika;
        this.engine = new CasEngine(new CasCommands(pika::callBytes, () -> now));
        this.now = server.now();
    }

    Instant now() {
        return now;
    }

    /** Runs the script on both and compares; returns the status word, or the error's text. */
    String run(LuaScript script, List<String> keys, List<byte[]> arguments, boolean ordered) {
        now = server.now();
        byte[][] values = arguments.toArray(byte[][]::new);
        Object theirs = answer(() -> {
            LuaScript still = atThisMoment(script);
            return server.eval(still.sha(), still.text(), keys, values);
        });
        Object ours = answer(() -> engine.eval(script, keys, values));
        boolean rests = script.text().contains("'PTTL'");
        assertThat(normal(ours, ordered, rests, false)).isEqualTo(normal(theirs, ordered, rests, false));
        return ours instanceof List<?> list ? text(list.getFirst()) : text(ours);
    }

    /** The moment is written into the text, for two servers' clocks cannot be read at once. */
    private LuaScript atThisMoment(LuaScript script) {
        String literal = "{'%d', '%d'}".formatted(now.getEpochSecond(), now.getNano() / 1000);
        String text = script.text().replace("redis.call('TIME')", literal);
        return new LuaScript(script.name(), text, "0".repeat(40), script.keys(), script.arguments());
    }

    private static Object answer(Supplier<@Nullable Object> call) {
        try {
            Object reply = call.get();
            return reply == null ? "nil" : reply;
        } catch (ScriptFailed e) {
            String message = String.valueOf(e.getMessage());
            return message.contains("WRONGTYPE") ? "WRONGTYPE" : message.startsWith("SOLOIST") ? message : ERROR;
        }
    }

    /** In a form that can be compared: bytes as text, JSON as a tree, hashes without an order. */
    private static Object normal(Object reply, boolean ordered, boolean rests, boolean nested) {
        return switch (reply) {
            case byte[] bytes -> text(new String(bytes, StandardCharsets.ISO_8859_1), rests);
            case Long number -> rests ? String.valueOf(rounded(number)) : number.toString();
            case String text -> text(text, rests);
            case List<?> list -> {
                List<Object> all = new ArrayList<>();
                for (Object element : list) {
                    Object one = element == null ? "nil" : normal(element, ordered, rests, true);
                    all.add(!ordered && !nested && one instanceof List<?> rows ? sorted(rows) : one);
                }
                if (!nested && !all.isEmpty() && all.getFirst().equals("MOVED")) {
                    // What the record holds: a carried one was written as each Lua walks through a table.
                    all.set(2, pairs((List<?>) all.get(2)));
                }
                yield ordered || nested ? all : pairs(all);
            }
            default -> throw new IllegalArgumentException(reply.getClass().toString());
        };
    }

    private static Object text(String text, boolean rests) {
        if (text.startsWith("{\"")) {
            try {
                return MAPPER.readTree(text);
            } catch (JsonProcessingException e) {
                return text;
            }
        }
        return rests && text.matches("\\d{4,15}") ? String.valueOf(rounded(Long.parseLong(text))) : text;
    }

    /** To the nearest: a rest just below a whole span, which is what there is after a moment, is not at an edge. */
    private static long rounded(long rest) {
        return (rest + TOLERANCE / 2) / TOLERANCE;
    }

    private static List<String> sorted(List<?> rows) {
        return rows.stream().map(Object::toString).sorted().toList();
    }

    private static Object pairs(List<?> flat) {
        Set<String> pairs = new TreeSet<>();
        for (int i = flat.size() % 2; i < flat.size(); i += 2) {
            pairs.add(flat.get(i) + "=" + flat.get(i + 1));
        }
        return List.of(flat.size() % 2 == 1 ? flat.getFirst() : "", pairs);
    }

    /** All keys on both sides are the same. */
    void compare(Set<String> keys) {
        Map<String, Object> theirs = new TreeMap<>();
        Map<String, Object> ours = new TreeMap<>();
        for (String key : keys) {
            theirs.put(key, onTheServer(key));
            ours.put(key, inTheString(key));
        }
        assertThat(ours).isEqualTo(theirs);
    }

    private Object onTheServer(String key) {
        String type = text(server.call("TYPE", key).getFirst());
        long end = (Long) server.call("PTTL", key).getFirst();
        List<String> content = switch (type) {
            case "none" -> List.of();
            case "string" -> texts(server.call("GET", key));
            case "list" -> texts(server.call("LRANGE", key, "0", "-1"));
            case "zset" -> texts(server.call("ZRANGE", key, "0", "-1", "WITHSCORES"));
            case "hash" -> texts(server.call("HGETALL", key));
            default -> throw new IllegalStateException(type);
        };
        return List.of(type, end == -1 ? "stays" : end < 0 ? "" : "ends", content(type, content));
    }

    private Object inTheString(String key) {
        byte[] whole = (byte[]) pika.call("GET", RedisKeys.together(key)).getFirst();
        Map<String, Stored> keys =
                whole == null ? Map.of() : ContentJson.read(key, whole).keys();
        Stored stored = keys.get(key.substring(RedisKeys.beside(key, "").length()));
        if (stored == null || stored.ends() && stored.endsAt() <= now.toEpochMilli()) {
            return List.of("none", "", List.of());
        }
        List<String> content = new ArrayList<>();
        String type = switch (stored.value()) {
            case Value.Text(String text) -> {
                content.add(text);
                yield "string";
            }
            case Value.Sequence(List<String> elements) -> {
                content.addAll(elements);
                yield "list";
            }
            case Value.Scored set -> {
                set.inOrder().forEach(member -> {
                    content.add(member);
                    content.add(Arguments.text(set.score(member)));
                });
                yield "zset";
            }
            case Value.Hash(Map<String, String> fields) -> {
                fields.forEach((name, value) -> {
                    content.add(name);
                    content.add(value);
                });
                yield "hash";
            }
        };
        return List.of(type, stored.ends() ? "ends" : "stays", content(type, content));
    }

    private static Object content(String type, List<String> content) {
        List<Object> normal = new ArrayList<>();
        content.forEach(text -> normal.add(text(text, false)));
        return type.equals("hash") ? pairs(normal) : normal;
    }

    private static List<String> texts(List<?> reply) {
        List<String> texts = new ArrayList<>();
        for (Object element : reply) {
            if (element instanceof List<?> nested) {
                texts.addAll(texts(nested));
            } else {
                texts.add(element instanceof Double score ? Arguments.text(score) : text(element));
            }
        }
        return texts;
    }

    private static String text(Object raw) {
        return raw instanceof byte[] bytes ? new String(bytes, StandardCharsets.ISO_8859_1) : String.valueOf(raw);
    }

    /** Does something to a key on both sides that no script does. */
    void tamper(String key, String text, String... arguments) {
        var script = new LuaScript("tampering.lua", text, "0".repeat(40), 1, LuaScript.ANY);
        List<byte[]> values = new ArrayList<>();
        for (String argument : arguments) {
            values.add(argument.getBytes(StandardCharsets.ISO_8859_1));
        }
        server.eval(script.sha(), text, List.of(key), values.toArray(byte[][]::new));
        engine.eval(
                new LuaScript("tampering.lua", text, text, 1, LuaScript.ANY),
                List.of(key),
                values.toArray(byte[][]::new));
    }
}
