package dev.soloist.coordination.storm;

import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.history.Event;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.Members;
import dev.soloist.coordination.shard.Shard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod that works for every shard of a queue under a name of its own in each, by the layout and the definition that it read some
 * time ago, and that freezes, dies and comes back.
 */
final class ShardPod implements Actor {

    private static final int MAX_ATTEMPTS = 8;
    private static final int RECENT = 60;
    private static final OnDuplicate[] POLICIES = {
        OnDuplicate.REJECT, OnDuplicate.KEEP_EARLIEST, OnDuplicate.KEEP_LATEST
    };

    private record Member(InstanceId id, List<String> segments) {}

    private record Work(int shard, ReservedTask task, long doneNanos) {}

    private final World world;
    private final Sharding sharding;
    private final String pod;
    private final Map<Integer, Member> members = new HashMap<>();
    private final List<Work> held = new ArrayList<>();
    private @Nullable JobDefinition definition;
    private @Nullable Layout layout;
    private long frozenUntil = System.nanoTime();
    private @Nullable Actor pending;

    ShardPod(World world, Sharding sharding, String pod) {
        this.world = world;
        this.sharding = sharding;
        this.pod = pod;
    }

    @Override
    public void step() {
        long now = System.nanoTime();
        if (now - frozenUntil < 0) {
            return;
        }
        if (world.strikes(8)) {
            frozenUntil = now + world.upTo(250).toNanos();
        } else if (world.strikes(6)) {
            held.clear();
            members.clear();
            pending = null;
            layout = null;
        } else if (layout == null) {
            layout = sharding.layouts.arrange(definition == null ? sharding.definition() : definition);
        } else if (pending != null) {
            repeat(pending);
        } else if (world.happens(3)) {
            // It may have been told late, or not yet.
            definition = sharding.definition();
            layout = world.happens(50) ? null : layout;
        } else {
            work(sharding.shard(world.dice.nextInt(layout.active())), layout, now);
        }
    }

    private void work(Shard shard, Layout known, long now) {
        Member me = members.get(shard.number());
        if (me == null) {
            enrol(shard, known);
            return;
        }
        switch (world.dice.nextInt(18)) {
            case 0, 1, 2 -> move(shard, me);
            case 3 -> shard.queue().sweep(me.id(), QueuePod.SWEEP);
            case 4, 5, 6 -> produce();
            case 7 -> meddle();
            case 8, 9 -> reserve(shard, me);
            case 10 -> heartbeat(shard, me);
            default -> {
                for (int i = 0; i < held.size(); i++) {
                    if (now - held.get(i).doneNanos() >= 0) {
                        handle(held.remove(i));
                        return;
                    }
                }
            }
        }
    }

    private void enrol(Shard shard, Layout known) {
        var fresh = world.instance(pod);
        if (shard.instances().register(fresh, pod, QueuePod.LEASE)
                instanceof Registering.Registered(List<InstanceId> before)) {
            if (!sharding.layouts.read(world.mails).equals(known)) {
                layout = null;
                shard.instances().leave(fresh);
                return;
            }
            members.put(shard.number(), new Member(fresh, List.of(fresh.value())));
            for (var dead : before) {
                shard.instances().fence(dead, new Evidence.Terminated());
                shard.instances().adopt(dead, fresh);
            }
        }
    }

    private void fenced(int shard) {
        members.remove(shard);
        layout = null;
    }

    private void heartbeat(Shard shard, Member me) {
        switch (shard.instances().heartbeat(me.id(), QueuePod.LEASE)) {
            case Heartbeat.Alive(List<String> mine, var _) -> members.put(shard.number(), new Member(me.id(), mine));
            case Heartbeat.Fenced() -> fenced(shard.number());
        }
    }

    private void move(Shard shard, Member me) {
        shard.queue().moveShared(20);
        for (var segment : me.segments()) {
            var moved = shard.queue().move(segment, 1 + world.dice.nextInt(50));
            if (!segment.equals(me.id().value()) && moved.nextHead() == null) {
                shard.instances().drop(me.id(), segment);
            }
        }
    }

    private void produce() {
        if (world.isCalm()) {
            return;
        }
        boolean again = !world.tasks.isEmpty() && world.happens(40);
        String id = again ? recent() : "t" + world.tasks.size();
        if (!again) {
            world.tasks.add(id);
        }
        String request =
                !again || world.happens(40) ? "first " + id : world.nonce().value();
        var task = new NewTask(
                TaskId.of(id),
                Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/json"),
                When.after(
                        world.happens(30)
                                ? Duration.ZERO
                                : world.upTo(world.happens(50) && !sharding.isBrief() ? 600 : 60)),
                request,
                POLICIES[world.dice.nextInt(POLICIES.length)]);
        certainly(() -> enqueue(task));
    }

    private void enqueue(NewTask task) {
        long asked = world.micros();
        Layout known = layout();
        var me = new Caller();
        switch (sharding.placing(known).enqueue(me, task, Durability.LOCAL).answer()) {
            case Enqueue.Accepted _ ->
                world.note(new Event.Promised(
                        world.micros(), world.mails.toString(), task.id().text(), asked));
            case Enqueue.Refused(var reason) ->
                world.note(new Event.Unanswered(
                        world.micros(), world.mails.toString(), task.id().text(), reason.name()));
            case Enqueue.Unanswered(var why) -> throw why;
            case Enqueue.Fenced() -> {
                fenced(me.last);
                throw new NoAnswer("fenced, to be sent again under another name");
            }
        }
    }

    private Layout layout() {
        var known = layout;
        if (known == null) {
            throw new NoAnswer("the layout is to be read anew");
        }
        return known;
    }

    private final class Caller implements Members {
        private int last;

        @Override
        public InstanceId in(int shard) {
            last = shard;
            var me = members.get(shard);
            if (me == null) {
                enrol(sharding.shard(shard), layout());
                throw new NoAnswer("not a member yet");
            }
            return me.id();
        }
    }

    private void meddle() {
        if (world.tasks.isEmpty() || world.isCalm()) {
            return;
        }
        TaskId id = TaskId.of(recent());
        var placing = sharding.placing(layout());
        if (world.happens(40)) {
            long asked = world.micros();
            if (placing.cancel(id) == Cancellation.CANCELLED) {
                world.note(new Event.Withdrawn(world.micros(), world.mails.toString(), id.text(), asked));
            }
        } else {
            placing.reschedule(id, When.after(world.upTo(40)), new Caller());
        }
    }

    private String recent() {
        int size = world.tasks.size();
        return world.tasks.get(size - 1 - world.dice.nextInt(Math.min(size, RECENT)));
    }

    private void reserve(Shard shard, Member me) {
        var request = new ReserveRequest(world.nonce(), 1 + world.dice.nextInt(5), QueuePod.VISIBILITY, MAX_ATTEMPTS);
        certainly(() -> {
            if (shard.queue().reserve(me.id(), request) instanceof Reservation.Reserved reserved) {
                world.note(new Event.Received(
                        world.micros(),
                        world.mails.toString(),
                        request.nonce().value(),
                        reserved.tasks().stream().map(task -> task.id().text()).toList()));
                for (ReservedTask task : reserved.tasks()) {
                    held.add(new Work(
                            shard.number(),
                            task,
                            System.nanoTime() + world.upTo(15).toNanos()));
                }
            } else {
                fenced(shard.number());
            }
        });
    }

    private void handle(Work work) {
        var queue = sharding.shard(work.shard()).queue();
        int roll = world.isCalm() ? 99 : world.dice.nextInt(100);
        if (roll < 2) {
            return; // a holder that forgets what it holds
        }
        if (roll < 15) {
            var me = members.get(work.shard());
            if (me != null) {
                var back = GiveBack.retry(work.task().held(), world.upTo(15), "failed");
                certainly(() -> queue.giveBack(me.id(), back, MAX_ATTEMPTS));
            }
        } else {
            certainly(() -> queue.ack(work.task().held()));
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
}
