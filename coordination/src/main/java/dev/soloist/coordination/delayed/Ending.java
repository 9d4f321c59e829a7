package dev.soloist.coordination.delayed;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Runs the scripts by which tasks leave their holder's hands or the queue. Thread-safe. */
final class Ending {

    private static final LuaScript ACK = LuaScript.load(Ending.class, "ack.lua", 6, LuaScript.ANY);
    private static final LuaScript NACK = LuaScript.load(Ending.class, "nack.lua", 14, 10);
    private static final LuaScript CANCEL = LuaScript.load(Ending.class, "cancel.lua", 6, 3);
    private static final LuaScript TIDY = LuaScript.load(Ending.class, "tidy.lua", 2, 1);
    private static final int MAX_ACKS = 100;

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final Supplier<QueueLimits> limits;

    Ending(ScriptRunner scripts, QueueKeys keys, Supplier<QueueLimits> limits) {
        this.scripts = scripts;
        this.keys = keys;
        this.limits = limits;
    }

    List<Ack> ack(List<Held> held) {
        var answers = new ArrayList<Ack>(held.size());
        for (int from = 0; from < held.size(); from += MAX_ACKS) {
            answers.addAll(ackBatch(held.subList(from, Math.min(held.size(), from + MAX_ACKS))));
        }
        return List.copyOf(answers);
    }

    Acknowledged<Ack> ack(Held held, Durability durability) {
        return scripts.run(
                        durability,
                        reply -> Ack.valueOf(reply.text(1)) != Ack.STALE,
                        ACK,
                        keysOfAck(),
                        retention(),
                        held.id().bytes(),
                        held.receipt().value())
                .map(reply -> Ack.valueOf(reply.text(1)));
    }

    private List<String> keysOfAck() {
        return List.of(
                keys.tasks(), keys.attempts(), keys.inFlight(), keys.done(), keys.doneExpiry(), keys.deduplication());
    }

    GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        ScriptReply reply = scripts.run(
                NACK,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.inFlight(),
                        keys.done(),
                        keys.doneExpiry(),
                        keys.dead(),
                        keys.members(),
                        keys.segment(instance),
                        keys.shared(),
                        keys.ready(0),
                        keys.ready(1),
                        keys.ready(2),
                        keys.starts(),
                        keys.log()),
                instance.value(),
                back.held().id().bytes(),
                back.held().receipt().value(),
                Millis.of(back.delay()),
                back.mode().name(),
                maxAttempts,
                back.error(),
                retention(),
                keys.wake(),
                limits.get().logLength());
        return GivenBack.valueOf(reply.status());
    }

    Cancellation cancel(TaskId id) {
        ScriptReply reply = withdraw(id, "ANY");
        Cancellation answer = Cancellation.valueOf(reply.status());
        if (answer == Cancellation.CANCELLED && !reply.text(2).isEmpty()) {
            tidy(reply.text(2), reply.bytes(1));
        }
        return answer;
    }

    Discard discard(TaskId id) {
        ScriptReply reply = withdraw(id, "DEAD");
        return switch (Cancellation.valueOf(reply.status())) {
            case CANCELLED -> Discard.DISCARDED;
            case IN_FLIGHT, DONE, NOT_FOUND -> Discard.NOT_DEAD;
        };
    }

    private long retention() {
        return Millis.of(limits.get().retention());
    }

    ScriptReply withdraw(TaskId id, String which) {
        return scripts.run(
                CANCEL,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.done(),
                        keys.doneExpiry(),
                        keys.dead(),
                        keys.deduplication()),
                id.bytes(),
                retention(),
                which);
    }

    /** The segment is known only from the record, and keys have to be declared: so this is a call of its own. */
    void tidy(String segment, byte[] member) {
        scripts.run(TIDY, List.of(keys.tasks(), keys.segment(segment)), (Object) member);
    }

    private List<Ack> ackBatch(List<Held> batch) {
        var arguments = new ArrayList<Object>(1 + 2 * batch.size());
        arguments.add(retention());
        for (Held held : batch) {
            arguments.add(held.id().bytes());
            arguments.add(held.receipt().value());
        }
        ScriptReply reply = scripts.run(ACK, keysOfAck(), arguments);
        var answers = new ArrayList<Ack>(batch.size());
        for (int i = 1; i < reply.size(); i++) {
            answers.add(Ack.valueOf(reply.text(i)));
        }
        return answers;
    }
}
