package dev.soloist.coordination.delayed.cas;

import static dev.soloist.coordination.delayed.cas.CasWorld.MAX_ATTEMPTS;
import static dev.soloist.coordination.delayed.cas.CasWorld.task;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.Nonce;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** Every call that changes something, with what it needs beforehand. A repeat is the same call once more. */
enum Step {
    ENQUEUE_NOW(w -> queue -> queue.enqueue(w.me, task("a", When.now(), OnDuplicate.REJECT, "r"))),
    ENQUEUE_LATER(w -> queue -> queue.enqueue(w.me, task("a", soon(), OnDuplicate.REJECT, "r"))),
    ENQUEUE_AGAIN(w -> {
        w.whole.ack(w.held("a"));
        return queue -> queue.enqueue(w.me, task("a", soon(), OnDuplicate.REJECT, "r"));
    }),
    KEEP_EARLIEST(w -> {
        w.enqueued("a", When.after(Duration.ofMillis(400)));
        return queue -> queue.enqueue(w.me, task("a", When.now(), OnDuplicate.KEEP_EARLIEST, "r"));
    }),
    KEEP_LATEST(w -> {
        w.enqueued("a", When.now());
        return queue -> queue.enqueue(w.me, task("a", soon(), OnDuplicate.KEEP_LATEST, "r"));
    }),
    REPLACE(w -> {
        w.enqueued("a", soon());
        return queue -> queue.enqueue(w.me, task("a", When.now(), OnDuplicate.REPLACE, "r"));
    }),
    MOVE(w -> {
        for (String id : List.of("a", "b", "c")) {
            w.enqueued(id, When.after(Duration.ofMillis(1)));
        }
        until(w, "c");
        return queue -> queue.move(w.me.value(), 10);
    }),
    RESERVE(w -> {
        for (String id : List.of("a", "b", "c")) {
            w.enqueued(id, When.now());
        }
        Nonce nonce = Nonce.create();
        return queue -> w.reserved(queue, w.me, nonce);
    }),
    RESERVE_LAST_ATTEMPT(w -> {
        w.enqueued("a", When.now());
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            Held held = w.reserved(w.whole, w.me, Nonce.create()).getFirst().held();
            w.whole.giveBack(w.me, GiveBack.retry(held, Duration.ZERO, "no"), 2 * MAX_ATTEMPTS);
        }
        Nonce nonce = Nonce.create();
        return queue -> w.reserved(queue, w.me, nonce);
    }),
    EXTEND(w -> {
        Held held = w.held("a");
        return queue -> queue.extend(held, CasWorld.VISIBILITY);
    }),
    ACK(w -> {
        Held first = w.held("a");
        Held second = w.held("b");
        return queue -> queue.ack(List.of(first, second));
    }),
    GIVE_BACK_NOW(w -> {
        Held held = w.held("a");
        return queue -> queue.giveBack(w.me, GiveBack.retry(held, Duration.ZERO, "no"), MAX_ATTEMPTS);
    }),
    GIVE_BACK_LATER(w -> {
        Held held = w.held("a");
        return queue -> queue.giveBack(w.me, GiveBack.free(held, Duration.ofMillis(50), "no"), MAX_ATTEMPTS);
    }),
    GIVE_BACK_DEAD(w -> {
        Held held = w.held("a");
        return queue -> queue.giveBack(w.me, GiveBack.dead(held, "no"), MAX_ATTEMPTS);
    }),
    GIVE_BACK_CANCELLED(w -> {
        Held held = w.held("a");
        w.whole.cancel(TaskId.of("a"));
        return queue -> queue.giveBack(w.me, GiveBack.retry(held, Duration.ZERO, "no"), MAX_ATTEMPTS);
    }),
    CANCEL(w -> {
        w.enqueued("a", soon());
        return queue -> queue.cancel(TaskId.of("a"));
    }),
    CANCEL_HELD(w -> {
        w.held("a");
        return queue -> queue.cancel(TaskId.of("a"));
    }),
    CANCEL_DEAD(w -> {
        w.whole.giveBack(w.me, GiveBack.dead(w.held("a"), "no"), MAX_ATTEMPTS);
        return queue -> queue.cancel(TaskId.of("a"));
    }),
    RESCHEDULE_EARLIER(w -> {
        w.enqueued("a", When.after(Duration.ofMillis(400)));
        return queue -> queue.reschedule(TaskId.of("a"), When.now(), w.me);
    }),
    RESCHEDULE_LATER(w -> {
        w.enqueued("a", When.now());
        return queue -> queue.reschedule(TaskId.of("a"), soon(), w.me);
    }),
    SWEEP(w -> {
        w.held("a");
        Awaitility.await()
                .until(() -> w.commands.time()
                        > w.commands.first(w.keys.inFlight(), 1).getFirst().score());
        return queue -> queue.sweep(w.me, CasWorld.sweep());
    }),
    LOOK_AT_A_LOST_HINT(w -> {
        w.enqueued("a", When.now());
        w.commands.delete(w.keys.ready());
        Awaitility.await()
                .until(() -> w.commands.time()
                        > w.commands.first(w.keys.index(), 1).getFirst().score());
        return queue -> queue.sweep(w.me, CasWorld.sweep());
    }),
    REQUEUE(w -> {
        w.whole.giveBack(w.me, GiveBack.dead(w.held("a"), "no"), MAX_ATTEMPTS);
        return queue -> queue.requeue(TaskId.of("a"));
    });

    /** Prepares a world and returns the call. */
    private final Function<CasWorld, Function<DelayedQueue, Object>> play;

    Step(Function<CasWorld, Function<DelayedQueue, Object>> play) {
        this.play = play;
    }

    Function<DelayedQueue, Object> prepare(CasWorld world) {
        return play.apply(world);
    }

    private static When soon() {
        return When.after(Duration.ofMillis(60));
    }

    private static void until(CasWorld world, String id) {
        long due = world.due(id).toEpochMilli();
        Awaitility.await().until(() -> world.commands.time() > due);
    }
}
