package dev.soloist.coordination.delayed;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs the scripts that bring due tasks to their holders. Thread-safe. */
final class Delivery {

    private static final LuaScript MOVE = LuaScript.load(Delivery.class, "move.lua", 4, 2);
    private static final LuaScript RESERVE = LuaScript.load(Delivery.class, "reserve.lua", 12, 10);
    private static final LuaScript EXTEND = LuaScript.load(Delivery.class, "extend.lua", 2, 3);

    /** Of so many reservations one begins with the lowest list and one with the middle one, so that neither starves. */
    private static final int TURNS = 8;

    /** A sidecar is small: a batch of large payloads must not fill its memory. */
    private static final int BATCH_BYTES = 1024 * 1024;

    private final ScriptRunner scripts;
    private final QueueKeys keys;
    private final Supplier<QueueLimits> limits;
    private final AtomicInteger reservations = new AtomicInteger();

    Delivery(ScriptRunner scripts, QueueKeys keys, Supplier<QueueLimits> limits) {
        this.scripts = scripts;
        this.keys = keys;
        this.limits = limits;
    }

    Moved move(String segmentKey, int max) {
        ScriptReply reply =
                scripts.run(MOVE, List.of(segmentKey, keys.ready(0), keys.ready(1), keys.ready(2)), max, keys.wake());
        return new Moved((int) reply.number(1), reply.isNil(2) ? null : reply.instant(2), reply.instant(3));
    }

    Reservation reserve(InstanceId instance, ReserveRequest request) {
        RateLimit limit = request.limit();
        ScriptReply reply = scripts.run(
                RESERVE,
                List.of(
                        keys.tasks(),
                        keys.attempts(),
                        keys.inFlight(),
                        keys.reservations(),
                        keys.members(),
                        keys.dead(),
                        keys.segment(instance),
                        keys.ready(0),
                        keys.ready(1),
                        keys.ready(2),
                        keys.log(),
                        keys.starts()),
                instance.value(),
                request.nonce().value(),
                request.max(),
                Millis.of(request.visibility()),
                request.maxAttempts(),
                first().digit(),
                BATCH_BYTES,
                limits.get().logLength(),
                limit == null ? 0 : limit.max(),
                limit == null ? 0 : Millis.of(limit.per()));
        return switch (reply.status()) {
            case "RESERVED" ->
                new Reservation.Reserved(
                        tasks(reply.array(3)), reply.number(2) == 1, reply.instant(1), closedFor(reply));
            case "FENCED" -> new Reservation.Fenced();
            default -> throw reply.unknownStatus();
        };
    }

    private Priority first() {
        return switch (Math.floorMod(reservations.incrementAndGet(), TURNS)) {
            case 0 -> Priority.LOW;
            case TURNS / 2 -> Priority.NORMAL;
            default -> Priority.HIGH;
        };
    }

    /** A version of the script from before rate limits does not say it. */
    private static Duration closedFor(ScriptReply reserved) {
        return reserved.size() > 4 ? reserved.duration(4) : Duration.ZERO;
    }

    Acknowledged<Extension> extend(Held held, Duration visibility, Durability durability) {
        return scripts.run(
                        durability,
                        reply -> reply.status().equals("EXTENDED"),
                        EXTEND,
                        List.of(keys.attempts(), keys.inFlight()),
                        held.id().bytes(),
                        held.receipt().value(),
                        Millis.of(visibility))
                .map(Delivery::extension);
    }

    private static Extension extension(ScriptReply reply) {
        return switch (reply.status()) {
            case "EXTENDED" -> new Extension.Extended(reply.number(1) == 1, reply.instant(2));
            case "STALE" -> new Extension.Stale();
            default -> throw reply.unknownStatus();
        };
    }

    private static List<ReservedTask> tasks(ScriptReply rows) {
        var tasks = new ArrayList<ReservedTask>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            ScriptReply row = rows.array(i);
            tasks.add(new ReservedTask(
                    TaskId.fromBytes(row.bytes(0)),
                    Payload.of(row.bytes(2), row.text(1)),
                    new Receipt(row.text(6)),
                    (int) row.number(3),
                    row.instant(4),
                    row.instant(5)));
        }
        return List.copyOf(tasks);
    }
}
