package dev.soloist.coordination.delayed;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.List;

/** Runs the scripts by which tasks get their due. Thread-safe. */
final class Enqueueing {

    private static final LuaScript ENQUEUE = LuaScript.load(Enqueueing.class, "enqueue.lua", 10, 12);
    private static final LuaScript RESCHEDULE = LuaScript.load(Enqueueing.class, "reschedule.lua", 8, 5);

    /** The only priority that is offered so far; the format knows 0 to 2. */
    private static final int NORMAL = 1;

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final QueueLimits limits;

    Enqueueing(ScriptRunner scripts, QueueKeys keys, QueueLimits limits) {
        this.scripts = scripts;
        this.keys = keys;
        this.limits = limits;
    }

    Acknowledged<Enqueue> enqueue(InstanceId instance, NewTask task, Durability durability) {
        return scripts.run(
                        durability,
                        reply -> reply.status().equals("ACCEPTED"),
                        ENQUEUE,
                        List.of(
                                keys.tasks(),
                                keys.attempts(),
                                keys.members(),
                                keys.done(),
                                keys.doneExpiry(),
                                keys.dead(),
                                keys.segment(instance),
                                keys.ready(0),
                                keys.ready(1),
                                keys.ready(2)),
                        instance.value(),
                        task.id().bytes(),
                        NORMAL,
                        Millis.kind(task.when()),
                        Millis.of(task.when()),
                        RequestDigest.of(task.requestKey()),
                        task.onDuplicate().name(),
                        task.payload().contentType(),
                        task.payload().bytes(),
                        limits.maxPayload(),
                        limits.maxDepth(),
                        keys.wake())
                .map(Enqueueing::enqueued);
    }

    private static Enqueue enqueued(ScriptReply reply) {
        return switch (reply.status()) {
            case "ACCEPTED" ->
                new Enqueue.Accepted(
                        Enqueue.Outcome.valueOf(reply.text(1)),
                        reply.instant(2),
                        reply.number(3) == 1,
                        reply.instant(4));
            case "REFUSED" -> new Enqueue.Refused(Enqueue.Reason.valueOf(reply.text(1)));
            case "FENCED" -> new Enqueue.Fenced();
            default -> throw reply.unknownStatus();
        };
    }

    Rescheduling reschedule(TaskId id, When when, InstanceId instance) {
        ScriptReply reply = scripts.run(
                RESCHEDULE,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.members(),
                        keys.segment(instance),
                        keys.shared(),
                        keys.ready(0),
                        keys.ready(1),
                        keys.ready(2)),
                instance.value(),
                id.bytes(),
                Millis.kind(when),
                Millis.of(when),
                keys.wake());
        return switch (reply.status()) {
            case "RESCHEDULED" ->
                new Rescheduling.Rescheduled(reply.instant(1), reply.number(2) == 1, reply.instant(3));
            case "REFUSED" -> new Rescheduling.Refused(Rescheduling.Reason.valueOf(reply.text(1)));
            case "NOT_FOUND" -> new Rescheduling.NotFound();
            default -> throw reply.unknownStatus();
        };
    }
}
