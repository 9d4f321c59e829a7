package dev.soloist.coordination.delayed;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Runs the scripts by which tasks get their due. Thread-safe. */
final class Enqueueing {

    private static final LuaScript ENQUEUE = LuaScript.load(Enqueueing.class, "enqueue.lua", 12, LuaScript.ANY);
    private static final LuaScript RESCHEDULE = LuaScript.load(Enqueueing.class, "reschedule.lua", 8, 5);

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final Supplier<QueueLimits> limits;

    Enqueueing(ScriptRunner scripts, QueueKeys keys, Supplier<QueueLimits> limits) {
        this.scripts = scripts;
        this.keys = keys;
        this.limits = limits;
    }

    Acknowledged<Enqueue> enqueue(InstanceId instance, NewTask task, Durability durability) {
        return enqueue(instance, List.of(task), durability).map(List::getFirst);
    }

    /** One script call for all of them. */
    Acknowledged<List<Enqueue>> enqueue(InstanceId instance, List<NewTask> tasks, Durability durability) {
        Object[] arguments = arguments(instance, tasks);
        return scripts.run(
                        durability,
                        reply -> answers(reply).stream().anyMatch(Enqueue.Accepted.class::isInstance),
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
                                keys.ready(2),
                                keys.deduplication(),
                                keys.deduplicationExpiry()),
                        arguments)
                .map(Enqueueing::answers)
                .map(answers -> answers.isEmpty() ? fenced(tasks.size()) : answers);
    }

    private Object[] arguments(InstanceId instance, List<NewTask> tasks) {
        QueueLimits now = limits.get();
        var arguments = new ArrayList<>(4 + 9 * tasks.size());
        arguments.add(instance.value());
        add(tasks.getFirst(), arguments);
        arguments.add(now.maxPayload());
        arguments.add(now.maxDepth());
        arguments.add(keys.wake());
        arguments.add(OnceWithin.argument(tasks.getFirst().once()));
        tasks.stream().skip(1).forEach(task -> {
            add(task, arguments);
            arguments.add(OnceWithin.argument(task.once()));
        });
        return arguments.toArray();
    }

    private static void add(NewTask task, List<Object> arguments) {
        arguments.add(task.id().bytes());
        arguments.add(task.priority().digit());
        arguments.add(Millis.kind(task.when()));
        arguments.add(Millis.of(task.when()));
        arguments.add(RequestDigest.of(task.requestKey()));
        arguments.add(task.onDuplicate().name());
        arguments.add(task.payload().contentType());
        arguments.add(task.payload().bytes());
    }

    /** One for each task; none when the instance is fenced. */
    private static List<Enqueue> answers(ScriptReply reply) {
        return switch (reply.status()) {
            case "FENCED" -> List.of();
            case "ANSWERS" -> {
                var answers = new ArrayList<Enqueue>(reply.size());
                for (int i = 1; i < reply.size(); i++) {
                    answers.add(answer(reply.array(i)));
                }
                yield List.copyOf(answers);
            }
            default -> List.of(answer(reply));
        };
    }

    private static List<Enqueue> fenced(int tasks) {
        return Collections.nCopies(tasks, new Enqueue.Fenced());
    }

    private static Enqueue answer(ScriptReply reply) {
        return switch (reply.status()) {
            case "ACCEPTED" ->
                new Enqueue.Accepted(
                        Enqueue.Outcome.valueOf(reply.text(1)),
                        reply.instant(2),
                        reply.number(3) == 1,
                        reply.instant(4),
                        reply.size() > 5 ? taken(reply) : null);
            case "REFUSED" -> new Enqueue.Refused(Enqueue.Reason.valueOf(reply.text(1)));
            default -> throw reply.unknownStatus();
        };
    }

    private static Enqueue.Taken taken(ScriptReply reply) {
        return new Enqueue.Taken(TaskId.fromBytes(reply.bytes(5)), reply.number(6) == 0 ? null : reply.instant(6));
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
