package dev.soloist.coordination.delayed;

import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Runs the scripts that write indexes anew from the records, after damage by hand. Thread-safe. */
final class Mending {

    private static final LuaScript HELD = LuaScript.load(Mending.class, "repair_held.lua", 4, 2);
    private static final LuaScript PENDING = LuaScript.load(Mending.class, "repair_pending.lua", 5, 3);
    private static final LuaScript DONE = LuaScript.load(Mending.class, "repair_done.lua", 2, 2);
    private static final LuaScript REINDEX = LuaScript.load(Mending.class, "reindex.lua", 4, LuaScript.ANY);
    private static final int MAX_REINDEX = 100;

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final Supplier<QueueLimits> limits;

    Mending(ScriptRunner scripts, QueueKeys keys, Supplier<QueueLimits> limits) {
        this.scripts = scripts;
        this.keys = keys;
        this.limits = limits;
    }

    Repaired repair(Repair step) {
        return switch (step.phase()) {
            case HELD -> held(step);
            case PENDING -> pending(step);
            case DONE -> done(step);
            case FINISHED -> new Repaired(step, 0, 0, 0, 0, 0, 0);
        };
    }

    private Repaired held(Repair step) {
        ScriptReply reply = scripts.run(
                HELD,
                List.of(keys.tasks(), keys.attempts(), keys.inFlight(), keys.dead()),
                step.cursor(),
                Millis.of(step.visibility()));
        return new Repaired(
                step.after(reply.text(1)),
                (int) reply.number(2),
                (int) reply.number(3),
                (int) reply.number(4),
                0,
                0,
                0);
    }

    private Repaired pending(Repair step) {
        ScriptReply reply = scripts.run(
                PENDING,
                List.of(keys.tasks(), keys.attempts(), keys.ready(0), keys.ready(1), keys.ready(2)),
                step.cursor(),
                Millis.of(step.overdue()),
                keys.wake());
        int reindexed = reindex(step, reply.array(3));
        return new Repaired(step.after(reply.text(1)), 0, 0, 0, (int) reply.number(2), reindexed, 0);
    }

    private Repaired done(Repair step) {
        ScriptReply reply = scripts.run(
                DONE,
                List.of(keys.done(), keys.doneExpiry()),
                step.cursor(),
                Millis.of(limits.get().retention()));
        return new Repaired(step.after(reply.text(1)), 0, 0, 0, 0, 0, (int) reply.number(2));
    }

    /** Segments are keys, and keys have to be declared: so their entries are looked up by calls of their own. */
    private int reindex(Repair step, ScriptReply waiting) {
        Map<String, List<byte[]>> bySegment = new LinkedHashMap<>();
        for (int i = 0; i < waiting.size(); i++) {
            ScriptReply row = waiting.array(i);
            String segment = step.owned().contains(row.text(1)) ? keys.segment(row.text(1)) : keys.shared();
            bySegment.computeIfAbsent(segment, any -> new ArrayList<>()).add(row.bytes(0));
        }
        int count = 0;
        for (Map.Entry<String, List<byte[]>> entry : bySegment.entrySet()) {
            List<byte[]> members = entry.getValue();
            for (int from = 0; from < members.size(); from += MAX_REINDEX) {
                List<byte[]> batch = members.subList(from, Math.min(members.size(), from + MAX_REINDEX));
                ScriptReply reply = scripts.run(
                        REINDEX, List.of(keys.tasks(), keys.attempts(), entry.getKey(), keys.shared()), batch);
                count += (int) reply.number(1);
            }
        }
        return count;
    }
}
