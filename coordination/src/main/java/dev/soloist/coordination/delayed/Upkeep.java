package dev.soloist.coordination.delayed;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the scripts that put things right behind holders and hands that failed. Thread-safe. */
final class Upkeep {

    private static final LuaScript SWEEP = LuaScript.load(Upkeep.class, "sweep.lua", 10, 9);
    private static final LuaScript PURGE = LuaScript.load(Upkeep.class, "purge.lua", 7, 3);

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final Supplier<QueueLimits> limits;

    Upkeep(ScriptRunner scripts, QueueKeys keys, Supplier<QueueLimits> limits) {
        this.scripts = scripts;
        this.keys = keys;
        this.limits = limits;
    }

    Swept sweep(@Nullable InstanceId instance, SweepRequest request) {
        ScriptReply reply = scripts.run(
                SWEEP,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.inFlight(),
                        keys.done(),
                        keys.doneExpiry(),
                        keys.dead(),
                        keys.members(),
                        instance == null ? keys.shared() : keys.segment(instance),
                        keys.shared(),
                        keys.log()),
                instance == null ? "" : instance.value(),
                request.max(),
                Millis.of(request.backoff().initial()),
                Double.toString(request.backoff().factor()),
                Millis.of(request.backoff().max()),
                request.maxAttempts(),
                ThreadLocalRandom.current().nextInt(10_000),
                Millis.of(limits.get().retention()),
                limits.get().logLength());
        return new Swept(
                (int) reply.number(1),
                (int) reply.number(2),
                (int) reply.number(3),
                (int) reply.number(4),
                reply.number(5) == 1,
                reply.isNil(6) ? null : reply.instant(6),
                reply.instant(7));
    }

    Purged purge() {
        QueueLimits now = limits.get();
        return purge(Millis.of(now.deadMaxAge()), now.deadMaxCount(), 20);
    }

    /** Whatever their age and number. */
    Purged purgeDead() {
        return purge(0, 0, 100);
    }

    private Purged purge(long maxAge, long maxCount, int max) {
        ScriptReply reply = scripts.run(
                PURGE,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.done(),
                        keys.doneExpiry(),
                        keys.dead(),
                        keys.deduplication(),
                        keys.deduplicationExpiry()),
                maxAge,
                maxCount,
                max);
        return new Purged((int) reply.number(1), (int) reply.number(2), reply.size() > 3 ? (int) reply.number(3) : 0);
    }
}
