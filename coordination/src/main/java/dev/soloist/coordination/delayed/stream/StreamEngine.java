package dev.soloist.coordination.delayed.stream;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the scripts of a queue out with the stream beside its records: those by which tasks get and lose their holders do
 * both in one step, all others are as they were. Thread-safe.
 */
final class StreamEngine implements ScriptEngine {

    private static final Logger LOGGER = LoggerFactory.getLogger(StreamEngine.class);
    private static final LuaScript RESERVE = LuaScript.load(StreamEngine.class, "reserve.lua", 4, 1);
    private static final LuaScript ACK = LuaScript.load(StreamEngine.class, "ack.lua", 2, LuaScript.ANY);
    private static final LuaScript NACK = LuaScript.load(StreamEngine.class, "nack.lua", 2, 2);

    private static final Map<String, LuaScript> AROUND = Map.of(
            "dev/soloist/coordination/delayed/reserve.lua", RESERVE,
            "dev/soloist/coordination/delayed/ack.lua", ACK,
            "dev/soloist/coordination/delayed/nack.lua", NACK);

    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();

    /** By the digest of what is inside: few, for there are few scripts. */
    private static final Map<String, LuaScript> WHOLE = new ConcurrentHashMap<>();

    private final ScriptEngine engine;
    private final StreamKeys keys;
    private final BooleanSupplier used;
    private final AtomicLong warned = new AtomicLong(System.nanoTime() - QUIET_NANOS);

    StreamEngine(ScriptEngine engine, StreamKeys keys, BooleanSupplier used) {
        this.engine = engine;
        this.keys = keys;
        this.used = used;
    }

    @Override
    public @Nullable Object eval(LuaScript script, List<String> names, byte[][] arguments) {
        LuaScript around = around(script);
        return around == null
                ? engine.eval(script, names, arguments)
                : own(around, engine.eval(whole(script, around), with(around, names), arguments));
    }

    @Override
    public Acknowledged<@Nullable Object> evalReplicated(
            LuaScript script,
            Durability.Replicated wanted,
            Predicate<@Nullable Object> mustBeCopied,
            List<String> names,
            byte[][] arguments) {
        LuaScript around = around(script);
        if (around == null) {
            return engine.evalReplicated(script, wanted, mustBeCopied, names, arguments);
        }
        return engine.evalReplicated(
                        whole(script, around),
                        wanted,
                        reply -> mustBeCopied.test(own(around, reply)),
                        with(around, names),
                        arguments)
                .map(reply -> own(around, reply));
    }

    private @Nullable LuaScript around(LuaScript script) {
        return used.getAsBoolean() ? AROUND.get(script.name()) : null;
    }

    private List<String> with(LuaScript around, List<String> names) {
        var all = new ArrayList<>(names);
        all.addAll(
                around.equals(RESERVE)
                        ? List.of(keys.attempts(), keys.stream(), keys.entries(), keys.mark())
                        : List.of(keys.stream(), keys.entries()));
        return all;
    }

    /** Somebody who removes it again and again fills no log. */
    private boolean isTime() {
        long now = System.nanoTime();
        long before = warned.get();
        return now - before >= QUIET_NANOS && warned.compareAndSet(before, now);
    }

    private static LuaScript whole(LuaScript inner, LuaScript around) {
        return WHOLE.computeIfAbsent(inner.sha(), _ -> around.around(inner));
    }

    /** The reply of the script inside. */
    private @Nullable Object own(LuaScript around, @Nullable Object reply) {
        if (!around.equals(RESERVE)) {
            return reply;
        }
        if (!(reply instanceof List<?> list) || list.size() != 3) {
            throw new IllegalStateException(RESERVE.name() + " returned " + reply);
        }
        if (Long.valueOf(1).equals(list.get(1)) && isTime()) {
            LOGGER.warn(
                    "job {}: the stream or its group was gone and has been made anew; no task is lost, but what was handled"
                            + " before cannot be replayed any more",
                    keys.job());
        }
        return list.get(2);
    }
}
