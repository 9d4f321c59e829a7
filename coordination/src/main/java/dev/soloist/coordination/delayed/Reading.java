package dev.soloist.coordination.delayed;

import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Runs the scripts that only look, and the one that brings a dead task back. Thread-safe. */
final class Reading {

    private static final LuaScript INSPECT = LuaScript.load(Reading.class, "inspect.lua", 5, 1);
    private static final LuaScript COUNTS = LuaScript.load(Reading.class, "counts.lua", LuaScript.ANY, 0);
    private static final LuaScript DEAD = LuaScript.load(Reading.class, "dead.lua", 2, 2);
    private static final LuaScript REQUEUE = LuaScript.load(Reading.class, "requeue.lua", 8, 2);

    private final ScriptRunner scripts;
    private final QueueKeys keys;

    Reading(ScriptRunner scripts, QueueKeys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    Optional<TaskView> inspect(TaskId id) {
        ScriptReply reply = scripts.run(
                INSPECT, List.of(keys.tasks(), keys.attempts(), keys.inFlight(), keys.done(), keys.dead()), (Object)
                        id.bytes());
        if (reply.status().equals("ABSENT")) {
            return Optional.empty();
        }
        TaskState state = TaskState.valueOf(reply.status());
        int attempts = (int) reply.number(2);
        return Optional.of(
                switch (state) {
                    case DONE, CANCELLED ->
                        new TaskView(
                                id,
                                state,
                                reply.instant(1),
                                attempts,
                                "",
                                null,
                                null,
                                false,
                                null,
                                null,
                                Priority.NORMAL,
                                null);
                    case DELAYED, READY, IN_FLIGHT, DEAD ->
                        new TaskView(
                                id,
                                state,
                                reply.instant(1),
                                attempts,
                                reply.text(3),
                                reply.text(4).isEmpty() ? null : reply.text(4),
                                reply.isNil(5) ? null : reply.instant(5),
                                reply.number(6) == 1,
                                reply.instant(7),
                                Payload.of(reply.bytes(9), reply.text(8)),
                                priority(reply),
                                reply.size() < 12 || reply.isNil(11) ? null : reply.instant(11));
                });
    }

    /** A script of the version before tells less. */
    private static Priority priority(ScriptReply reply) {
        return reply.size() < 11 ? Priority.NORMAL : Priority.of((int) reply.number(10));
    }

    QueueCounts counts(Collection<String> segments) {
        var all = new ArrayList<>(List.of(
                keys.tasks(),
                keys.attempts(),
                keys.inFlight(),
                keys.dead(),
                keys.ready(0),
                keys.ready(1),
                keys.ready(2),
                keys.shared()));
        segments.forEach(name -> all.add(keys.segment(name)));
        ScriptReply reply = scripts.run(COUNTS, all);
        long recorded = reply.number(1);
        long inFlight = reply.number(2);
        long dead = reply.number(3);
        long ready = Math.clamp(reply.number(4), 0, Math.max(0, recorded - inFlight - dead));
        Instant now = reply.instant(6);
        Duration overdue = reply.isNil(5) || now.isBefore(reply.instant(5))
                ? Duration.ZERO
                : Duration.between(reply.instant(5), now);
        return new QueueCounts(Math.max(0, recorded - inFlight - dead - ready), ready, inFlight, dead, overdue);
    }

    List<DeadTask> dead(int skip, int max) {
        ScriptReply rows = scripts.run(DEAD, List.of(keys.attempts(), keys.dead()), skip, max)
                .array(1);
        var tasks = new ArrayList<DeadTask>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            ScriptReply row = rows.array(i);
            tasks.add(new DeadTask(
                    TaskId.fromBytes(row.bytes(0)), row.instant(1), row.instant(2), (int) row.number(3), row.text(4)));
        }
        return List.copyOf(tasks);
    }

    Requeue requeue(TaskId id) {
        ScriptReply reply = scripts.run(
                REQUEUE,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.dead(),
                        keys.ready(0),
                        keys.ready(1),
                        keys.ready(2),
                        keys.deduplication(),
                        keys.deduplicationExpiry()),
                id.bytes(),
                keys.wake());
        return Requeue.valueOf(reply.status());
    }
}
