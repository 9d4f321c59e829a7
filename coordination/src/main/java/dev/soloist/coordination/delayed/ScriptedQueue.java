package dev.soloist.coordination.delayed;

import dev.soloist.coordination.delayed.stream.JobStream;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every call is one script, so it is done whole or not at all wherever a process dies. Thread-safe. */
final class ScriptedQueue implements DelayedQueue {

    private final Enqueueing enqueueing;
    private final Delivery delivery;
    private final Ending ending;
    private final Upkeep upkeep;
    private final Mending mending;
    private final Reading reading;
    private final QueueKeys keys;
    private final JobStream stream;

    ScriptedQueue(ScriptRunner given, RedisKeys keys, JobId job, Supplier<QueueLimits> limits) {
        this.stream = new JobStream(given, keys, job, limits);
        var scripts = stream.joining();
        this.keys = new QueueKeys(keys, job);
        this.enqueueing = new Enqueueing(scripts, this.keys, limits);
        this.delivery = new Delivery(scripts, this.keys, limits);
        this.ending = new Ending(scripts, this.keys, limits);
        this.upkeep = new Upkeep(scripts, this.keys, limits);
        this.mending = new Mending(scripts, this.keys, limits);
        this.reading = new Reading(scripts, this.keys);
    }

    @Override
    public Enqueue enqueue(InstanceId instance, NewTask task) {
        return enqueue(instance, task, Durability.LOCAL).answer();
    }

    @Override
    public Acknowledged<Enqueue> enqueue(InstanceId instance, NewTask task, Durability durability) {
        return enqueueing.enqueue(instance, task, durability);
    }

    @Override
    public Acknowledged<List<Enqueue>> enqueueAll(InstanceId instance, List<NewTask> tasks, Durability durability) {
        DelayedQueue.checkBatch(tasks);
        return enqueueing.enqueue(instance, tasks, durability);
    }

    @Override
    public Moved move(String segment, int max) {
        return delivery.move(keys.segment(segment), max);
    }

    @Override
    public Moved moveShared(int max) {
        return delivery.move(keys.shared(), max);
    }

    @Override
    public Reservation reserve(InstanceId instance, ReserveRequest request) {
        return delivery.reserve(instance, request);
    }

    @Override
    public Extension extend(Held held, Duration visibility) {
        return delivery.extend(held, visibility, Durability.LOCAL).answer();
    }

    @Override
    public Acknowledged<Extension> extend(Held held, Duration visibility, Durability durability) {
        return delivery.extend(held, visibility, durability);
    }

    @Override
    public List<Ack> ack(List<Held> held) {
        var answers = ending.ack(held);
        stream.handled(held.size());
        return answers;
    }

    @Override
    public Acknowledged<Ack> ack(Held held, Durability durability) {
        return ending.ack(held, durability);
    }

    @Override
    public GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        return ending.giveBack(instance, back, maxAttempts);
    }

    @Override
    public Cancellation cancel(TaskId id) {
        return ending.cancel(id);
    }

    @Override
    public Rescheduling reschedule(TaskId id, When when, InstanceId instance) {
        return enqueueing.reschedule(id, when, instance);
    }

    @Override
    public Swept sweep(InstanceId instance, SweepRequest request) {
        return claimed(instance, upkeep.sweep(instance, request));
    }

    @Override
    public Swept sweepToShared(SweepRequest request) {
        return claimed(null, upkeep.sweep(null, request));
    }

    /** What was swept is not pending any more, and who left has no place in the group. */
    private Swept claimed(@Nullable InstanceId instance, Swept swept) {
        if (!swept.more()) {
            stream.claim(instance);
        }
        return swept;
    }

    @Override
    public Purged purge() {
        stream.purge();
        return upkeep.purge();
    }

    @Override
    public Purged purgeDead() {
        return upkeep.purgeDead();
    }

    @Override
    public Discard discard(TaskId id) {
        return ending.discard(id);
    }

    @Override
    public Repaired repair(Repair step) {
        return mending.repair(step);
    }

    @Override
    public Optional<TaskView> inspect(TaskId id) {
        return reading.inspect(id);
    }

    @Override
    public QueueCounts counts(Collection<String> segments) {
        return reading.counts(segments);
    }

    @Override
    public List<DeadTask> dead(int skip, int max) {
        return reading.dead(skip, max);
    }

    @Override
    public Requeue requeue(TaskId id) {
        return reading.requeue(id);
    }

    @Override
    public Optional<TaskStream> stream() {
        return stream.isUsed() ? Optional.of(stream) : Optional.empty();
    }
}
