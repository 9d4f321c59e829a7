package dev.soloist.coordination.storm;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.Moved;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.OnceWithin;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.loop.Backoff;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pod that enqueues, moves, sweeps, handles and meddles, that freezes with tasks in its hands, and dies and comes back. */
final class QueuePod implements Actor {

    static final Duration LEASE = Duration.ofMillis(80);
    static final Duration VISIBILITY = Duration.ofMillis(100);
    static final SweepRequest SWEEP =
            new SweepRequest(20, new Backoff(Duration.ofMillis(2), 1, Duration.ofMillis(2)), 8);
    private static final int MAX_ATTEMPTS = 8;
    private static final int RECENT = 60;

    private record Work(ReservedTask task, long doneNanos) {}

    private final World world;
    private final String pod;
    private final List<Work> held = new ArrayList<>();
    private InstanceId me;
    private boolean registered;
    private List<String> segments = List.of();
    private long heartbeatAt = System.nanoTime();
    private long frozenUntil = System.nanoTime();
    /** A call without an answer, to be repeated as it was. */
    private @Nullable Actor pending;

    QueuePod(World world, String pod) {
        this.world = world;
        this.pod = pod;
        this.me = world.instance(pod);
    }

    @Override
    public void step() {
        long now = System.nanoTime();
        if (now - frozenUntil < 0) {
            return;
        }
        if (world.strikes(8)) {
            frozenUntil = now + world.upTo(250).toNanos();
        } else if (world.strikes(7)) {
            held.clear();
            pending = null;
            registered = false;
        } else if (!registered) {
            register();
        } else if (now - heartbeatAt >= 0 && world.happens(50)) {
            heartbeat();
        } else if (pending != null) {
            repeat(pending);
        } else {
            work(now);
        }
    }

    private void work(long now) {
        switch (world.dice.nextInt(17)) {
            case 0, 1, 2 -> move();
            case 3 -> world.queue.sweep(me, SWEEP);
            case 4, 5 -> produce();
            case 6, 7 -> meddle();
            case 8, 9 -> reserve();
            default -> {
                for (int i = 0; i < held.size(); i++) {
                    if (now - held.get(i).doneNanos() >= 0) {
                        handle(held.remove(i).task());
                        return;
                    }
                }
            }
        }
    }

    /** Does it until there is an answer. */
    private void certainly(Actor call) {
        pending = call;
        repeat(call);
    }

    private void repeat(Actor call) {
        call.step();
        pending = null;
    }

    private void register() {
        me = world.instance(pod);
        if (world.instances.register(me, pod, LEASE) instanceof Registering.Registered(List<InstanceId> before)) {
            registered = true;
            segments = List.of(me.value());
            heartbeatAt = System.nanoTime() + LEASE.dividedBy(4).toNanos();
            for (InstanceId dead : before) {
                world.instances.fence(dead, new Evidence.Terminated());
                world.instances.adopt(dead, me);
            }
        }
    }

    private void heartbeat() {
        switch (world.instances.heartbeat(me, LEASE)) {
            case Heartbeat.Alive(List<String> mine, var _) -> {
                segments = mine;
                heartbeatAt = System.nanoTime() + LEASE.dividedBy(4).toNanos();
            }
            case Heartbeat.Fenced() -> registered = false;
        }
    }

    private void move() {
        String segment = segments.get(world.dice.nextInt(segments.size()));
        Moved moved = world.queue.move(segment, 1 + world.dice.nextInt(50));
        if (!segment.equals(me.value()) && (moved.nextHead() == null || world.happens(20))) {
            world.instances.drop(me, segment); // also where it has to be refused
        }
    }

    private void produce() {
        if (world.isCalm()) {
            return;
        }
        // Arrays only where all are of one version: the former one knew none.
        int many = world.rules != null && world.happens(30) ? 2 + world.dice.nextInt(3) : 1;
        // Each id once: the account of a call tells by the id which task of the array wrote what.
        var tasks = new ArrayList<NewTask>();
        for (int i = 0; i < many; i++) {
            NewTask task = task();
            if (tasks.stream().noneMatch(other -> other.id().equals(task.id()))) {
                tasks.add(task);
            }
        }
        certainly(() -> enqueue(tasks));
    }

    private NewTask task() {
        boolean again = !world.tasks.isEmpty() && world.happens(25);
        String id = again ? recent() : "t" + world.tasks.size();
        if (!again) {
            world.tasks.add(id);
        }
        String request = again && world.happens(60)
                ? "first " + id
                : again ? world.nonce().value() : "first " + id;
        var task = new NewTask(
                TaskId.of(id),
                Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json"),
                When.after(world.happens(30) ? Duration.ZERO : world.upTo(world.happens(30) ? 400 : 40)),
                request,
                OnDuplicate.values()[world.dice.nextInt(4)],
                Priority.of(world.dice.nextInt(3)));
        World.Rules rules = world.rules;
        return rules == null
                ? task
                : task.once(new OnceWithin(
                        TaskId.of(world.happens(40) ? id : "k" + world.dice.nextInt(6)),
                        world.upTo(world.happens(50) ? 300 : 20).plusMillis(1),
                        rules.releaseOn()));
    }

    private void enqueue(List<NewTask> tasks) {
        long asked = world.micros();
        List<Enqueue> answers = tasks.size() == 1
                ? List.of(world.queue.enqueue(me, tasks.getFirst()))
                : world.queue.enqueueAll(me, tasks, Durability.LOCAL).answer();
        for (int i = 0; i < tasks.size(); i++) {
            note(tasks.get(i), answers.get(i), asked);
        }
    }

    private void note(NewTask task, Enqueue answer, long asked) {
        switch (answer) {
            case Enqueue.Accepted(var _, var _, var _, var _, Enqueue.Taken(TaskId by, var until)) ->
                world.note(new Event.KeyTaken(
                        world.micros(),
                        world.mails.toString(),
                        task.once() == null ? "" : task.once().key().text(),
                        by.text(),
                        until == null ? 0 : until.toEpochMilli(),
                        asked));
            case Enqueue.Accepted _ ->
                world.note(new Event.Promised(
                        world.micros(), world.mails.toString(), task.id().text(), asked));
            case Enqueue.Refused(var reason) ->
                world.note(new Event.Unanswered(
                        world.micros(), world.mails.toString(), task.id().text(), reason.name()));
            case Enqueue.Unanswered(var why) -> throw why;
            case Enqueue.Fenced() -> {
                registered = false;
                throw new NoAnswer("fenced, to be sent again under another name");
            }
        }
    }

    private void meddle() {
        if (world.tasks.isEmpty() || world.isCalm()) {
            return;
        }
        TaskId id = TaskId.of(recent());
        if (world.rules != null && world.happens(50)) {
            if (world.happens(70)) {
                List<DeadTask> dead = world.queue.dead(0, 20);
                world.queue.requeue(
                        dead.isEmpty()
                                ? id
                                : dead.get(world.dice.nextInt(dead.size())).id());
            } else {
                world.queue.purge();
            }
        } else if (world.happens(40)) {
            long asked = world.micros();
            if (world.queue.cancel(id) == Cancellation.CANCELLED) {
                world.note(new Event.Withdrawn(world.micros(), world.mails.toString(), id.text(), asked));
            }
        } else {
            world.queue.reschedule(id, When.after(world.upTo(40)), me);
        }
    }

    private String recent() {
        int size = world.tasks.size();
        return world.tasks.get(size - 1 - world.dice.nextInt(Math.min(size, RECENT)));
    }

    private void reserve() {
        var request = new ReserveRequest(
                world.nonce(),
                1 + world.dice.nextInt(5),
                VISIBILITY,
                isOnce() ? 1 : MAX_ATTEMPTS,
                world.rules == null ? null : world.rules.limit());
        InstanceId by = me;
        certainly(() -> {
            if (!by.equals(me)) {
                return; // under another name it would be another request
            }
            if (world.queue.reserve(me, request) instanceof Reservation.Reserved reserved) {
                world.note(new Event.Received(
                        world.micros(),
                        world.mails.toString(),
                        request.nonce().value(),
                        reserved.tasks().stream().map(task -> task.id().text()).toList()));
                for (ReservedTask task : reserved.tasks()) {
                    held.add(new Work(task, System.nanoTime() + world.upTo(15).toNanos()));
                }
            } else {
                registered = false;
            }
        });
    }

    private void handle(ReservedTask task) {
        int roll = world.isCalm() ? 99 : world.dice.nextInt(100);
        if (roll < 2) {
            return; // a holder that forgets what it holds
        }
        if (roll < 10) {
            held.add(new Work(task, System.nanoTime() + world.upTo(15).toNanos()));
            world.queue.extend(task.held(), VISIBILITY);
        } else if (roll < 30) {
            Duration delay = world.happens(50) ? Duration.ZERO : world.upTo(15);
            // With keys to free, more of them die.
            GiveBack back = switch (world.rules != null && roll < 17 ? 10 : roll) {
                case 10 -> GiveBack.dead(task.held(), "no");
                case 11, 12, 13, 14, 15 -> GiveBack.free(task.held(), delay, "busy");
                // Only where all are of one version: the former one knew no such give-back.
                case 17, 18, 19 ->
                    world.rules == null
                            ? GiveBack.retry(task.held(), delay, "failed")
                            : GiveBack.unseen(task.held(), delay, "absent");
                default -> GiveBack.retry(task.held(), delay, "failed");
            };
            certainly(() -> world.queue.giveBack(me, back, MAX_ATTEMPTS));
        } else {
            certainly(() -> end(task));
        }
    }

    /** What is to come at most once is ended first, and given to the app only by whom the end is told. */
    private void end(ReservedTask task) {
        Ack ack = world.queue.ack(task.held());
        if (isOnce() && ack != Ack.STALE) {
            world.note(new Event.GivenOnce(
                    world.micros(),
                    world.mails.toString(),
                    task.id().text(),
                    task.held().receipt().value()));
        }
    }

    private boolean isOnce() {
        return world.rules != null && world.rules.once();
    }
}
