package dev.soloist.coordination.cas;

import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import dev.soloist.coordination.script.LuaScript;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of one script: read, run, compare and set, until the write stands or needs none. Not thread-safe. */
final class CasCall {

    private static final Logger LOGGER = LoggerFactory.getLogger(CasCall.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LARGEST = 1 << 20;
    private static final Duration AFTER_THE_LAST_KEY = Duration.ofMinutes(1);

    private final CasCommands commands;
    private final LuaScript script;
    private final List<String> keys;
    private final byte[][] arguments;
    private final String whole;
    private final Doubts doubts = new Doubts();
    private final Patience patience = new Patience();
    private final Moment moment;
    private byte @Nullable [] refused;
    private @Nullable RedisUnavailable lost;

    CasCall(CasCommands commands, LuaScript script, List<String> keys, byte[][] arguments) {
        this.commands = commands;
        this.moment = new Moment(commands);
        this.script = script;
        this.keys = keys;
        this.arguments = arguments;
        this.whole = RedisKeys.together(keys.getFirst());
        if (!keys.stream().allMatch(key -> RedisKeys.together(key).equals(whole))) {
            throw new IllegalArgumentException(script.name() + " was given keys of more than one hash tag");
        }
    }

    @Nullable
    Object run() {
        do {
            moment.forgetIfOld();
            if (script.text().contains("'TIME'")) {
                moment.get();
            }
            byte[] before = read();
            if (before != null && Arrays.equals(before, refused)) {
                throw RedisUnavailable.refused("the server shows a value of " + whole
                        + " that it refused to write; it must not answer from a cache (Pika: cache-model 0)");
            }
            Optional<Outcome> done = doubts.settle(before);
            if (done.isPresent() && before != null) {
                if (confirm(before)) {
                    return answer(done.get());
                }
                continue;
            }
            Content content = before == null ? Content.none() : ContentJson.read(whole, before);
            var keyspace = new Keyspace(named(content.keys()), commands, moment);
            Outcome outcome = LuaRun.run(script, keys, arguments, keyspace);
            // A write that may still be under way must not land after the answer: then something else is written first.
            if (!keyspace.isChanged() && !doubts.isOpen()) {
                return answer(outcome);
            }
            if (write(before, content, keyspace, outcome)) {
                return answer(outcome);
            }
        } while (patience.another());
        throw lost == null
                ? RedisUnavailable.refused(
                        whole + " was changed by others at each of " + patience.tries() + " tries in two seconds")
                : lost;
    }

    /** While it is in doubt whether a write was done, the connection is given time to come back. */
    private byte @Nullable [] read() {
        while (true) {
            try {
                return commands.get(whole);
            } catch (RedisUnavailable e) {
                if (lost == null || !patience.another()) {
                    throw lost == null ? e : lost;
                }
            }
        }
    }

    /** Returns whether it stands; if not, there is something new to be read. */
    private boolean write(byte @Nullable [] before, Content content, Keyspace keyspace, Outcome outcome) {
        Content next = content.next(writeName(), shortened(keyspace.content()));
        byte[] after = ContentJson.write(next);
        if (after.length > LARGEST) {
            throw new ScriptFailed("ERR %s would be %d bytes; without scripts on the server it may be %d at most"
                    .formatted(whole, after.length, LARGEST));
        }
        byte[] removed = next.keys().isEmpty() ? before : null;
        try {
            Swap swap =
                    removed == null ? set(before, after, end(next, keyspace)) : commands.deleteIfEqual(whole, removed);
            refused = swap == Swap.DONE ? null : after;
            return swap == Swap.DONE;
        } catch (RedisUnavailable e) {
            lost = e;
            moment.forget();
            doubts.add(before, removed == null ? after : null, outcome);
            return false;
        }
    }

    private Swap set(byte @Nullable [] before, byte[] after, Duration end) {
        if (before == null) {
            boolean done = end.isZero() ? commands.setIfAbsent(whole, after) : commands.setIfAbsent(whole, after, end);
            return done ? Swap.DONE : Swap.DIFFERS;
        }
        return end.isZero()
                ? commands.setIfEqual(whole, after, before)
                : commands.setIfEqual(whole, after, before, end);
    }

    /**
     * Asks for the very bytes once more, by a write that changes nothing: what a server shows may come from a cache, what it
     * compares with does not.
     */
    private boolean confirm(byte[] written) {
        Content content = ContentJson.read(whole, written);
        var keyspace = new Keyspace(named(content.keys()), commands, moment);
        try {
            return set(written, written, end(content, keyspace)) == Swap.DONE;
        } catch (RedisUnavailable e) {
            return false;
        }
    }

    /** When the string may go by itself: after its last key, if every key has an end. Zero means never. */
    private static Duration end(Content content, Keyspace keyspace) {
        if (!content.keys().values().stream().allMatch(Stored::ends)) {
            return Duration.ZERO;
        }
        long last =
                content.keys().values().stream().mapToLong(Stored::endsAt).max().orElse(keyspace.now());
        return Duration.ofMillis(Math.max(0, last - keyspace.now())).plus(AFTER_THE_LAST_KEY);
    }

    private @Nullable Object answer(Outcome outcome) {
        for (Outcome.Message message : outcome.messages()) {
            try {
                commands.publish(message.channel(), message.text());
            } catch (RedisUnavailable | ScriptFailed e) {
                LOGGER.debug("a hint on {} was not sent; listeners find out by their polls", message.channel(), e);
            }
        }
        return outcome.reply();
    }

    private Map<String, Stored> named(Map<String, Stored> content) {
        Map<String, Stored> full = new LinkedHashMap<>();
        content.forEach((name, stored) -> full.put(RedisKeys.beside(whole, name), stored));
        return full;
    }

    private Map<String, Stored> shortened(Map<String, Stored> content) {
        Map<String, Stored> names = new LinkedHashMap<>();
        int prefix = RedisKeys.beside(whole, "").length();
        content.forEach((name, stored) -> names.put(name.substring(prefix), stored));
        return names;
    }

    private static String writeName() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
