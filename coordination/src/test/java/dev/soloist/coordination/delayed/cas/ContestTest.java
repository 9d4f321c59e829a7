package dev.soloist.coordination.delayed.cas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Receipt;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.RedisUnavailable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that shows what it does not compare with: every call ends, with a sentence, and none spins. */
@Timeout(60)
class ContestTest {

    private static final InstanceId ME = InstanceId.create("pod-me");
    private static final String PROOF = "n:1";
    private static final Payload NOTHING = Payload.of(new byte[0], "");
    private static final TaskRecord WAITING = TaskRecord.fresh(1, "", 5, 5, "first", NOTHING);
    private static final TaskRecord HELD = WAITING.held(ME.value(), PROOF, Long.MAX_VALUE / 2);

    @Test
    void noCallGoesOnForEverOrAtFullSpeedAgainstAServerThatNeverWrites() throws Exception {
        var held = new Held(TaskId.of("held"), new Receipt(PROOF));
        Map<String, StaleWire> wires = new LinkedHashMap<>();
        Map<String, Future<Object>> calls = new LinkedHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = Map.<String, Call>of(
                    "create", queue -> queue.enqueue(ME, task("new", OnDuplicate.REJECT)),
                    "replace", queue -> queue.enqueue(ME, task("waiting", OnDuplicate.REPLACE)),
                    "reschedule", queue -> queue.reschedule(TaskId.of("waiting"), When.now(), ME),
                    "ack", queue -> queue.ack(held),
                    "extend", queue -> queue.extend(held, Duration.ofSeconds(1)),
                    "give back", queue -> queue.giveBack(ME, GiveBack.retry(held, Duration.ZERO, "no"), 9),
                    "cancel", queue -> queue.cancel(TaskId.of("waiting")),
                    "cancel what is held", queue -> queue.cancel(TaskId.of("held")),
                    "requeue", queue -> queue.requeue(TaskId.of("dead")));
            all.forEach((name, call) -> {
                var wire = new StaleWire();
                var world = new CasWorld(wire, "stale");
                wire.showing(world.keys.record(TaskId.of("waiting")), WAITING);
                wire.showing(world.keys.record(TaskId.of("held")), HELD);
                wire.showing(world.keys.record(TaskId.of("dead")), HELD.dead(PROOF, 5, "no"));
                wires.put(name, wire);
                Callable<Object> once = () -> call.of(world.whole);
                calls.put(name, threads.submit(once));
            });
            for (var call : calls.entrySet()) {
                assertThat(catchThrowable(() -> call.getValue().get(20, TimeUnit.SECONDS)))
                        .as(call.getKey())
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOfSatisfying(
                                RedisUnavailable.class,
                                e -> assertThat(e.kind()).isEqualTo(RedisUnavailable.Kind.REFUSED))
                        .hasMessageContaining("must not answer from a cache");
                assertThat(wires.get(call.getKey()).refusals())
                        .as(call.getKey())
                        .isBetween(5, 200);
            }
        }
    }

    @FunctionalInterface
    private interface Call {
        Object of(DelayedQueue queue);
    }

    private static NewTask task(String id, OnDuplicate policy) {
        return CasWorld.task(id, When.now(), policy, "second");
    }
}
