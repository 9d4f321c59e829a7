package dev.soloist.coordination.store;

import dev.soloist.coordination.capability.StoreGate;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tasks of one job, kept in the form that goes with the mode that the gate says, decided anew at each call. */
final class ModalQueue implements DelayedQueue {

    private final StoreGate gate;
    private final DelayedQueue scripted;
    private final Supplier<DelayedQueue> cas;
    private final ReentrantLock making = new ReentrantLock();
    private @Nullable DelayedQueue made;

    /** @param cas made at the first call that needs it, so that its classes are loaded in that mode only */
    ModalQueue(StoreGate gate, DelayedQueue scripted, Supplier<DelayedQueue> cas) {
        this.gate = gate;
        this.scripted = scripted;
        this.cas = cas;
    }

    /** One and the same object: its reservations wait for each other. */
    private DelayedQueue withoutScripts() {
        making.lock();
        try {
            DelayedQueue queue = made == null ? cas.get() : made;
            made = queue;
            return queue;
        } finally {
            making.unlock();
        }
    }

    private DelayedQueue now() {
        return switch (gate.require()) {
            case SCRIPTED -> scripted;
            case CAS -> withoutScripts();
        };
    }

    @Override
    public Enqueue enqueue(InstanceId instance, NewTask task) {
        return now().enqueue(instance, task);
    }

    @Override
    public Acknowledged<Enqueue> enqueue(InstanceId instance, NewTask task, Durability durability) {
        return now().enqueue(instance, task, durability);
    }

    @Override
    public Acknowledged<List<Enqueue>> enqueueAll(InstanceId instance, List<NewTask> tasks, Durability durability) {
        return now().enqueueAll(instance, tasks, durability);
    }

    @Override
    public Moved move(String segment, int max) {
        return now().move(segment, max);
    }

    @Override
    public Moved moveShared(int max) {
        return now().moveShared(max);
    }

    @Override
    public Reservation reserve(InstanceId instance, ReserveRequest request) {
        return now().reserve(instance, request);
    }

    @Override
    public Extension extend(Held held, Duration visibility) {
        return now().extend(held, visibility);
    }

    @Override
    public Acknowledged<Extension> extend(Held held, Duration visibility, Durability durability) {
        return now().extend(held, visibility, durability);
    }

    @Override
    public List<Ack> ack(List<Held> held) {
        return now().ack(held);
    }

    @Override
    public Acknowledged<Ack> ack(Held held, Durability durability) {
        return now().ack(held, durability);
    }

    @Override
    public GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        return now().giveBack(instance, back, maxAttempts);
    }

    @Override
    public Cancellation cancel(TaskId id) {
        return now().cancel(id);
    }

    @Override
    public Rescheduling reschedule(TaskId id, When when, InstanceId instance) {
        return now().reschedule(id, when, instance);
    }

    @Override
    public Swept sweep(InstanceId instance, SweepRequest request) {
        return now().sweep(instance, request);
    }

    @Override
    public Swept sweepToShared(SweepRequest request) {
        return now().sweepToShared(request);
    }

    @Override
    public Purged purge() {
        return now().purge();
    }

    @Override
    public Purged purgeDead() {
        return now().purgeDead();
    }

    @Override
    public Discard discard(TaskId id) {
        return now().discard(id);
    }

    @Override
    public Repaired repair(Repair step) {
        return now().repair(step);
    }

    @Override
    public Optional<TaskView> inspect(TaskId id) {
        return now().inspect(id);
    }

    @Override
    public QueueCounts counts(Collection<String> segments) {
        return now().counts(segments);
    }

    @Override
    public List<DeadTask> dead(int skip, int max) {
        return now().dead(skip, max);
    }

    @Override
    public Requeue requeue(TaskId id) {
        return now().requeue(id);
    }

    @Override
    public Optional<TaskStream> stream() {
        return now().stream();
    }
}
