package dev.soloist.coordination.delayed;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Runs the scripts that put things right behind holders and hands that failed. Thread-safe. */
final class Upkeep {

    private static final LuaScript SWEEP = LuaScript.load(Upkeep.class, "sweep.lua", 9, 8);
    private static final LuaScript PURGE = LuaScript.load(Upkeep.class, "purge.lua", 5, 2);
    private static final LuaScript REPAIR_HELD = LuaScript.load(Upkeep.class, "repair_held.lua", 4, 2);
    private static final LuaScript REPAIR_PENDING = LuaScript.load(Upkeep.class, "repair_pending.lua", 5, 3);
    private static final LuaScript REINDEX = LuaScript.load(Upkeep.class, "reindex.lua", 4, LuaScript.ANY);
    private static final int MAX_REINDEX = 100;

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final QueueLimits limits;

    Upkeep(ScriptRunner scripts, QueueKeys keys, QueueLimits limits) {
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
                        keys.shared()),
                instance == null ? "" : instance.value(),
                request.max(),
                Millis.of(request.backoff().initial()),
                Double.toString(request.backoff().factor()),
                Millis.of(request.backoff().max()),
                request.maxAttempts(),
                ThreadLocalRandom.current().nextInt(10_000),
                Millis.of(limits.retention()));
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
        ScriptReply reply = scripts.run(
                PURGE,
                List.of(keys.tasks(), keys.attempts(), keys.done(), keys.doneExpiry(), keys.dead()),
                Millis.of(limits.deadMaxAge()),
                limits.deadMaxCount());
        return new Purged((int) reply.number(1), (int) reply.number(2));
    }

    Repaired repair(Repair step) {
        return switch (step.phase()) {
            case HELD -> repairHeld(step);
            case PENDING -> repairPending(step);
            case FINISHED -> new Repaired(step, 0, 0, 0, 0, 0);
        };
    }

    private Repaired repairHeld(Repair step) {
        ScriptReply reply = scripts.run(
                REPAIR_HELD,
                List.of(keys.tasks(), keys.attempts(), keys.inFlight(), keys.dead()),
                step.cursor(),
                Millis.of(step.visibility()));
        return new Repaired(
                step.next(reply.text(1)), (int) reply.number(2), (int) reply.number(3), (int) reply.number(4), 0, 0);
    }

    private Repaired repairPending(Repair step) {
        ScriptReply reply = scripts.run(
                REPAIR_PENDING,
                List.of(keys.tasks(), keys.attempts(), keys.ready(0), keys.ready(1), keys.ready(2)),
                step.cursor(),
                Millis.of(step.overdue()),
                keys.wake());
        int reindexed = reindex(reply.array(3));
        return new Repaired(step.next(reply.text(1)), 0, 0, 0, (int) reply.number(2), reindexed);
    }

    /** Segments are keys, and keys have to be declared: so their entries are looked up by calls of their own. */
    private int reindex(ScriptReply waiting) {
        Map<String, List<byte[]>> bySegment = new LinkedHashMap<>();
        for (int i = 0; i < waiting.size(); i++) {
            ScriptReply row = waiting.array(i);
            bySegment.computeIfAbsent(row.text(1), any -> new ArrayList<>()).add(row.bytes(0));
        }
        int count = 0;
        for (Map.Entry<String, List<byte[]>> entry : bySegment.entrySet()) {
            String segment = entry.getKey().isEmpty() ? keys.shared() : keys.segment(entry.getKey());
            List<byte[]> members = entry.getValue();
            for (int from = 0; from < members.size(); from += MAX_REINDEX) {
                List<byte[]> batch = members.subList(from, Math.min(members.size(), from + MAX_REINDEX));
                ScriptReply reply =
                        scripts.run(REINDEX, List.of(keys.tasks(), keys.attempts(), segment, keys.shared()), batch);
                count += (int) reply.number(1);
            }
        }
        return count;
    }
}
