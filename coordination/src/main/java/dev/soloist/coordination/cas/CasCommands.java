package dev.soloist.coordination.cas;

import dev.soloist.coordination.link.RedisLink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The few commands that are left on a server without scripts, spelled as Pika takes them: options in the order
 * {@code VX old EX seconds}, spans in whole seconds only, since older releases cut {@code PX} to seconds and take 0 for
 * "no end". Each is one command sent once: one that throws {@link dev.soloist.coordination.link.RedisUnavailable} may have
 * been done, or may still be. Thread-safe.
 */
public final class CasCommands {

    /** Sends one command and waits for its answer. */
    @FunctionalInterface
    interface Wire {
        List<Object> send(String command, List<byte[]> arguments);
    }

    private final Wire wire;
    private final Supplier<Instant> time;

    /** Commands over the link, which stays the caller's. */
    public CasCommands(RedisLink link) {
        this(link::callBytes, link::now);
    }

    CasCommands(Wire wire, Supplier<Instant> time) {
        this.wire = wire;
        this.time = time;
    }

    /** The value of a string, or null if there is none. */
    public byte @Nullable [] get(String key) {
        return (byte[]) single(wire.send("GET", List.of(bytes(key))));
    }

    /** Writes a string that stays, if there is none of that name; returns whether it did. */
    public boolean setIfAbsent(String key, byte[] value) {
        return single(wire.send("SET", List.of(bytes(key), value, bytes("NX")))) != null;
    }

    /**
     * Writes a string that ends by itself, if there is none of that name; returns whether it did.
     *
     * @param span rounded up to whole seconds; at least one
     */
    public boolean setIfAbsent(String key, byte[] value, Duration span) {
        return single(wire.send("SET", List.of(bytes(key), value, bytes("NX"), bytes("EX"), bytes(seconds(span)))))
                != null;
    }

    /** Writes a string that stays, if its value is the expected one. An end that it had is taken away. */
    public Swap setIfEqual(String key, byte[] value, byte[] expected) {
        return swap(wire.send("SET", List.of(bytes(key), value, bytes("VX"), expected)));
    }

    /**
     * Writes a string that ends by itself, if its value is the expected one.
     *
     * @param span rounded up to whole seconds; at least one
     */
    public Swap setIfEqual(String key, byte[] value, byte[] expected, Duration span) {
        var arguments = new ArrayList<>(List.of(bytes(key), value, bytes("VX"), expected));
        arguments.add(bytes("EX"));
        arguments.add(bytes(seconds(span)));
        return swap(wire.send("SET", arguments));
    }

    /** Removes a string, if its value is the expected one. */
    public Swap deleteIfEqual(String key, byte[] expected) {
        return swap(wire.send("DELVX", List.of(bytes(key), expected)));
    }

    /** How many members a sorted set has. */
    public long size(String key) {
        return (Long) wire.send("ZCARD", List.of(bytes(key))).getFirst();
    }

    /** The server's time. */
    public Instant time() {
        return time.get();
    }

    /** Sends a message. Who listens to it is not told; it is a hint. */
    public void publish(String channel, String message) {
        wire.send("PUBLISH", List.of(bytes(channel), bytes(message)));
    }

    private static Swap swap(List<Object> reply) {
        return switch (number(single(reply))) {
            case 1 -> Swap.DONE;
            case 0 -> Swap.ABSENT;
            case -1 -> Swap.DIFFERS;
            default ->
                throw new IllegalStateException("the server answered a compare-and-set with neither 1, 0 nor -1");
        };
    }

    private static int number(@Nullable Object element) {
        return switch (element) {
            case Long number -> number.intValue();
            case byte[] text -> Integer.parseInt(new String(text, StandardCharsets.US_ASCII));
            case null, default ->
                throw new IllegalStateException("the server answered a compare-and-set without a number");
        };
    }

    private static @Nullable Object single(List<Object> reply) {
        return reply.isEmpty() ? null : reply.getFirst();
    }

    private static String seconds(Duration span) {
        return String.valueOf(Math.max(1, span.plusNanos(999_999_999).toSeconds()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
