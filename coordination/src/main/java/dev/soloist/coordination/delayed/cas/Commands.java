package dev.soloist.coordination.delayed.cas;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands that Pika takes, as it takes them: no option of ZADD, ranges by rank, whole seconds. Each is one round trip
 * and none reads more than it is asked for. Thread-safe.
 */
final class Commands {

    /** A member of a sorted set. */
    static final class Scored {

        private final byte[] member;
        private final long score;

        Scored(byte[] member, long score) {
            this.member = member;
            this.score = score;
        }

        byte[] member() {
            return member;
        }

        long score() {
            return score;
        }
    }

    private final Wire wire;

    Commands(Wire wire) {
        this.wire = wire;
    }

    /** The server's clock in milliseconds. */
    long time() {
        List<Object> reply = wire.call("TIME", List.of());
        return number(reply.get(0)) * 1000 + number(reply.get(1)) / 1000;
    }

    byte @Nullable [] get(String key) {
        return raw(single(wire.call("GET", List.of(bytes(key)))));
    }

    /** One element per key, null where there is none. */
    List<byte @Nullable []> getAll(List<String> keys) {
        var values = new ArrayList<byte @Nullable []>(keys.size());
        if (!keys.isEmpty()) {
            wire.call("MGET", keys.stream().map(Commands::bytes).toList()).forEach(value -> values.add(raw(value)));
        }
        return values;
    }

    void set(String key, byte[] value, Duration span) {
        wire.call("SET", List.of(bytes(key), value, bytes("EX"), bytes(seconds(span))));
    }

    boolean setIfAbsent(String key, byte[] value) {
        return single(wire.call("SET", List.of(bytes(key), value, bytes("NX")))) != null;
    }

    /** Whether the value was the expected one and is the new one now; an end that the key had is taken away. */
    boolean setIfEqual(String key, byte[] value, byte[] expected) {
        return number(single(wire.call("SET", List.of(bytes(key), value, bytes("VX"), expected)))) == 1;
    }

    /** As above, for a value that ends by itself. */
    boolean setIfEqual(String key, byte[] value, byte[] expected, Duration span) {
        return number(single(wire.call(
                        "SET", List.of(bytes(key), value, bytes("VX"), expected, bytes("EX"), bytes(seconds(span))))))
                == 1;
    }

    boolean deleteIfEqual(String key, byte[] expected) {
        return number(single(wire.call("DELVX", List.of(bytes(key), expected)))) == 1;
    }

    void delete(String key) {
        wire.call("DEL", List.of(bytes(key)));
    }

    /** Lets a key of any type end by itself. */
    void expire(String key, Duration span) {
        wire.call("EXPIRE", List.of(bytes(key), bytes(seconds(span))));
    }

    void add(String key, byte[] member, long score) {
        wire.call("ZADD", List.of(bytes(key), bytes(score), member));
    }

    void addAll(String key, List<Scored> scores) {
        if (scores.isEmpty()) {
            return;
        }
        var arguments = new ArrayList<byte[]>(List.of(bytes(key)));
        for (Scored each : scores) {
            arguments.add(bytes(each.score()));
            arguments.add(each.member());
        }
        wire.call("ZADD", arguments);
    }

    void remove(String key, Collection<byte[]> members) {
        if (!members.isEmpty()) {
            wire.call("ZREM", with(key, members));
        }
    }

    boolean contains(String key, byte[] member) {
        return single(wire.call("ZSCORE", List.of(bytes(key), member))) != null;
    }

    long size(String key) {
        return number(single(wire.call("ZCARD", List.of(bytes(key)))));
    }

    /** The members with the lowest scores. */
    List<Scored> first(String key, int max) {
        return scored(wire.call("ZRANGE", range(key, 0, max)));
    }

    /** The members with the highest scores, highest first. */
    List<Scored> last(String key, int skip, int max) {
        return scored(wire.call("ZREVRANGE", range(key, skip, max)));
    }

    /** Puts elements behind all that are there. */
    void append(String key, Collection<byte[]> elements) {
        if (!elements.isEmpty()) {
            wire.call("LPUSH", with(key, elements));
        }
    }

    /** Puts elements before all that are there, the last one foremost. */
    void prepend(String key, Collection<byte[]> elements) {
        if (!elements.isEmpty()) {
            wire.call("RPUSH", with(key, elements));
        }
    }

    /** Takes the element that was appended first over to another list. On Pika from 4.0 on a crash may lose it. */
    byte @Nullable [] take(String from, String to) {
        return raw(single(wire.call("RPOPLPUSH", List.of(bytes(from), bytes(to)))));
    }

    /** The elements that were appended first, without taking them. */
    List<byte[]> peek(String key, int max) {
        var elements = new ArrayList<byte[]>();
        for (Object element : wire.call("LRANGE", List.of(bytes(key), bytes(-max), bytes(-1)))) {
            elements.addFirst((byte[]) element);
        }
        return elements;
    }

    long length(String key) {
        return number(single(wire.call("LLEN", List.of(bytes(key)))));
    }

    /** One page of key names; element 0 of the answer is the next cursor, 0 at the end. */
    List<String> scan(String cursor, String pattern, int count) {
        List<Object> reply =
                wire.call("SCAN", List.of(bytes(cursor), bytes("MATCH"), bytes(pattern), bytes("COUNT"), bytes(count)));
        var answer = new ArrayList<>(List.of(text(reply.get(0))));
        ((List<?>) reply.get(1)).forEach(key -> answer.add(text(key)));
        return answer;
    }

    void publish(String channel, String message) {
        wire.call("PUBLISH", List.of(bytes(channel), bytes(message)));
    }

    private static List<byte[]> range(String key, int skip, int max) {
        return List.of(bytes(key), bytes(skip), bytes(skip + max - 1), bytes("WITHSCORES"));
    }

    /** Flat as the second protocol has it, or in pairs as the third. */
    private static List<Scored> scored(List<Object> reply) {
        var all = new ArrayList<Scored>();
        if (!reply.isEmpty() && reply.getFirst() instanceof List<?>) {
            for (Object pair : reply) {
                all.add(new Scored((byte[]) ((List<?>) pair).get(0), number(((List<?>) pair).get(1))));
            }
            return all;
        }
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            all.add(new Scored((byte[]) reply.get(i), number(reply.get(i + 1))));
        }
        return all;
    }

    private static List<byte[]> with(String key, Collection<byte[]> members) {
        var arguments = new ArrayList<byte[]>(1 + members.size());
        arguments.add(bytes(key));
        arguments.addAll(members);
        return arguments;
    }

    private static @Nullable Object single(List<Object> reply) {
        return reply.isEmpty() ? null : reply.getFirst();
    }

    private static byte @Nullable [] raw(@Nullable Object element) {
        return (byte[]) element;
    }

    private static String text(@Nullable Object element) {
        return element instanceof byte[] raw ? new String(raw, StandardCharsets.UTF_8) : String.valueOf(element);
    }

    private static long number(@Nullable Object element) {
        return switch (element) {
            case Long number -> number;
            case Double number -> number.longValue();
            case null -> throw new IllegalStateException("the server answered nothing where a number was due");
            default -> (long) Double.parseDouble(text(element));
        };
    }

    private static String seconds(Duration span) {
        return String.valueOf(Math.max(1, span.plusNanos(999_999_999).toSeconds()));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return bytes(String.valueOf(number));
    }
}
