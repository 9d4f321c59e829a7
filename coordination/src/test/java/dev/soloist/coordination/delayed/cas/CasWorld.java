package dev.soloist.coordination.delayed.cas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.loop.Backoff;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** One job of its own on the server, in which a process may die, and a survivor that carries on. For one thread. */
final class CasWorld {

    static final Duration PATIENCE = Duration.ofMillis(150);
    static final Duration VISIBILITY = Duration.ofMillis(150);
    static final int MAX_ATTEMPTS = 5;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));

    final InstanceId me = InstanceId.create("pod-me");
    final InstanceId survivor = InstanceId.create("pod-survivor");
    final DelayedQueue whole;
    final TaskKeys keys;
    final Commands commands;
    /** How often the survivor was handed each task. */
    final Map<String, Integer> deliveries = new LinkedHashMap<>();

    private final Wire wire;
    private final JobId job;

    CasWorld(Wire wire, String name) {
        this.wire = wire;
        this.job = new JobId("shop", name);
        this.keys = new TaskKeys(new RedisKeys(Install.MAIN), job);
        this.commands = new Commands(wire);
        this.whole = over(wire);
    }

    /** The queue as a process sees it. */
    DelayedQueue over(Wire through) {
        return new CasQueue(through, keys.keys(), job, instance -> true, () -> QueueLimits.DEFAULT, PATIENCE);
    }

    Breaking dyingAfter(int commands) {
        return new Breaking(wire, commands);
    }

    static NewTask task(String id, When when, OnDuplicate policy, String request) {
        var payload = Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json");
        return new NewTask(TaskId.of(id), payload, when, request, policy);
    }

    void enqueued(String id, When when) {
        assertThat(whole.enqueue(me, task(id, when, OnDuplicate.REJECT, "first request of " + id)))
                .isInstanceOf(Enqueue.Accepted.class);
    }

    Held held(String id) {
        enqueued(id, When.now());
        return reserved(whole, me, Nonce.create()).getFirst().held();
    }

    List<ReservedTask> reserved(DelayedQueue queue, InstanceId instance, Nonce nonce) {
        var request = new ReserveRequest(nonce, 5, VISIBILITY, MAX_ATTEMPTS);
        if (queue.reserve(instance, request) instanceof Reservation.Reserved reserved) {
            reserved.tasks()
                    .forEach(task -> assertThat(reserved.redisNow())
                            .as("%s is not early", task.id())
                            .isAfterOrEqualTo(task.dueAt()));
            return reserved.tasks();
        }
        throw new AssertionError("nobody is fenced here");
    }

    static SweepRequest sweep() {
        return new SweepRequest(10, BACKOFF, MAX_ATTEMPTS);
    }

    /** The survivor does what sidecars do, and nothing else, until every task has ended. */
    void carryOn(String what, List<String> ids) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(20))
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    whole.moveShared(50);
                    whole.move(me.value(), 50);
                    whole.move(survivor.value(), 50);
                    whole.sweep(survivor, sweep());
                    List<Held> taken = new ArrayList<>();
                    for (ReservedTask task : reserved(whole, survivor, Nonce.create())) {
                        deliveries.merge(task.id().text(), 1, Integer::sum);
                        taken.add(task.held());
                    }
                    whole.ack(taken);
                    return ids.stream().allMatch(this::isOver) && isTidy();
                });
    }

    private boolean isOver(String id) {
        TaskState state = whole.inspect(TaskId.of(id)).map(TaskView::state).orElse(TaskState.DONE);
        return state == TaskState.DONE || state == TaskState.CANCELLED || state == TaskState.DEAD;
    }

    /** Whether no index points at anything but dead tasks any more. */
    private boolean isTidy() {
        return commands.size(keys.index()) == commands.size(keys.dead())
                && commands.size(keys.inFlight()) == 0
                && commands.length(keys.ready()) == 0;
    }

    Instant due(String id) {
        return whole.inspect(TaskId.of(id)).orElseThrow().dueAt();
    }

    /** The state of a task, or null if there is no such. */
    String state(String id) {
        return whole.inspect(TaskId.of(id)).map(view -> view.state().name()).orElse("ABSENT");
    }
}
