package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Discard;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.Moved;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Purged;
import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.Repaired;
import dev.soloist.coordination.delayed.Requeue;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.Swept;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The tasks of one job over several shards, by one open layout; it is to be made anew when the layout has changed. Each call
 * about one task is one step in one shard, as a single queue does it; one about many tasks is a step in each shard, and a
 * shard that does not answer keeps nothing from the others. An instance has to take part in each shard.
 *
 * <p>What differs from the interface: a batch of reserved tasks comes from one shard; receipts name their shard; {@link
 * #counts} finds the segments by itself; limits count for each shard, each having its part of them. Thread-safe.
 */
public final class ShardedQueue implements DelayedQueue {

    private final Placing placing;
    private final Taking taking;
    private final Tending tending;
    private final DeadList dead;

    private ShardedQueue(Layout layout, List<Shard> shards) {
        this.placing = new Placing(layout, shards);
        this.taking = new Taking(shards);
        this.tending = new Tending(shards);
        this.dead = new DeadList(shards);
    }

    /**
     * The queue by a layout: with one shard it is that shard's, so that nothing is slower.
     *
     * @param layout that is open
     * @param shards makes the shard of a number
     */
    public static DelayedQueue of(Layout layout, IntFunction<Shard> shards) {
        if (layout.phase() != Layout.Phase.OPEN) {
            throw new IllegalArgumentException("a layout has to be open: " + layout);
        }
        return layout.isSingle() ? shards.apply(0).queue() : new ShardedQueue(layout, all(layout, shards));
    }

    private static List<Shard> all(Layout layout, IntFunction<Shard> shards) {
        return IntStream.range(0, layout.active()).mapToObj(shards).toList();
    }

    @Override
    public Enqueue enqueue(InstanceId instance, NewTask task) {
        return enqueue(instance, task, Durability.LOCAL).answer();
    }

    @Override
    public Acknowledged<Enqueue> enqueue(InstanceId instance, NewTask task, Durability durability) {
        return placing.enqueue(_ -> instance, task, durability);
    }

    @Override
    public Acknowledged<List<Enqueue>> enqueueAll(InstanceId instance, List<NewTask> tasks, Durability durability) {
        return placing.enqueueAll(_ -> instance, tasks, durability);
    }

    @Override
    public Rescheduling reschedule(TaskId id, When when, InstanceId instance) {
        return placing.reschedule(id, when, _ -> instance);
    }

    @Override
    public Cancellation cancel(TaskId id) {
        return placing.cancel(id);
    }

    @Override
    public Optional<TaskView> inspect(TaskId id) {
        return placing.inspect(id);
    }

    @Override
    public Requeue requeue(TaskId id) {
        return placing.requeue(id);
    }

    @Override
    public Discard discard(TaskId id) {
        return placing.discard(id);
    }

    @Override
    public Reservation reserve(InstanceId instance, ReserveRequest request) {
        return taking.reserve(instance, request);
    }

    @Override
    public Extension extend(Held held, Duration visibility) {
        return taking.extend(held, visibility, Durability.LOCAL).answer();
    }

    @Override
    public Acknowledged<Extension> extend(Held held, Duration visibility, Durability durability) {
        return taking.extend(held, visibility, durability);
    }

    @Override
    public List<Ack> ack(List<Held> held) {
        return taking.ack(held);
    }

    @Override
    public Acknowledged<Ack> ack(Held held, Durability durability) {
        return taking.ack(held, durability);
    }

    @Override
    public GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        return taking.giveBack(instance, back, maxAttempts);
    }

    @Override
    public Moved move(String segment, int max) {
        return tending.move(max, (queue, room) -> queue.move(segment, room));
    }

    @Override
    public Moved moveShared(int max) {
        return tending.move(max, DelayedQueue::moveShared);
    }

    @Override
    public Swept sweep(InstanceId instance, SweepRequest request) {
        return tending.sweep(queue -> queue.sweep(instance, request));
    }

    @Override
    public Swept sweepToShared(SweepRequest request) {
        return tending.sweep(queue -> queue.sweepToShared(request));
    }

    @Override
    public Purged purge() {
        return tending.purge(DelayedQueue::purge);
    }

    @Override
    public Purged purgeDead() {
        return tending.purge(DelayedQueue::purgeDead);
    }

    @Override
    public Repaired repair(Repair step) {
        return tending.repair(step);
    }

    @Override
    public QueueCounts counts(Collection<String> segments) {
        return tending.counts();
    }

    @Override
    public List<DeadTask> dead(int skip, int max) {
        return dead.page(skip, max);
    }

    @Override
    public int deadReach() {
        return DeadList.FURTHEST;
    }

    @Override
    public Optional<TaskStream> stream() {
        return tending.stream();
    }
}
