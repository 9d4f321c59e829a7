package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisLink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Tries what mode Cas is made of, command by command. Pika's compare-and-set answers 1 for done, 0 for no such key, -1 for
 * another value (its {@code src/pika_kv.cc}); Valkey's {@code SET IFEQ} answers OK or nothing.
 */
final class CommandTrial {

    private static final String SECONDS = "5";
    private static final long LONGEST = 5000;

    private final RedisLink link;

    CommandTrial(RedisLink link) {
        this.link = link;
    }

    void run(String key, Map<Capability, Finding> found) {
        found.put(Capability.SECOND_EXPIRY, Trial.of(() -> expiry(key)));
        found.putIfAbsent(Capability.SET_NX, Trial.of(() -> setNx(key)));
        found.put(Capability.ONE_TYPE_PER_NAME, Trial.of(() -> oneType(key)));
        found.put(Capability.PIKA_CAS, Trial.of(() -> pika(key)));
        found.put(Capability.NATIVE_CAS, Trial.of(() -> valkey(key)));
        Trial.of(() -> {
            link.call("DEL", key);
            return Finding.YES;
        });
    }

    private Finding expiry(String key) {
        boolean set = isOk(link.call("SET", key, "1", "NX", "EX", SECONDS));
        long remaining = number(link.call("PTTL", key));
        return Finding.of(
                set && remaining > 0 && remaining <= LONGEST, "SET NX EX 5 left an expiry of " + remaining + " ms");
    }

    private Finding setNx(String key) {
        return Finding.of(
                !isOk(link.call("SET", key, "2", "NX", "EX", SECONDS)), "SET NX wrote over a value that was there");
    }

    /** The key holds a text: a server that then finds an empty list under its name keeps both. */
    private Finding oneType(String key) {
        Finding asList = Trial.of(() -> {
            link.call("LLEN", key);
            return Finding.YES;
        });
        return Finding.of(asList.state() == Finding.State.NO, "one name may hold a text and a list");
    }

    private Finding pika(String key) {
        link.call("SET", key, "1", "EX", SECONDS);
        boolean swapped = number(link.call("SET", key, "x", "VX", "1", "EX", SECONDS)) == 1;
        boolean refused = number(link.call("SET", key, "y", "VX", "other")) == -1;
        boolean deleted = number(link.call("DELVX", key, "x")) == 1;
        return Finding.of(swapped && refused && deleted, "SET VX or DELVX does something else than compare");
    }

    private Finding valkey(String key) {
        link.call("SET", key, "1", "EX", SECONDS);
        boolean swapped = isOk(link.call("SET", key, "x", "IFEQ", "1", "EX", SECONDS));
        boolean refused = !isOk(link.call("SET", key, "y", "IFEQ", "other", "EX", SECONDS));
        boolean deleted = number(link.call("DELIFEQ", key, "x")) == 1;
        return Finding.of(swapped && refused && deleted, "SET IFEQ or DELIFEQ does something else than compare");
    }

    private static boolean isOk(List<Object> reply) {
        return !reply.isEmpty()
                && reply.getFirst() instanceof byte[] text
                && new String(text, StandardCharsets.US_ASCII).equals("OK");
    }

    /** An answer that is no number fits nothing. */
    private static long number(List<Object> reply) {
        return !reply.isEmpty() && reply.getFirst() instanceof Long number ? number : Long.MIN_VALUE;
    }
}
