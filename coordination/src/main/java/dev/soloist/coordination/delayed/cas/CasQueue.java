package dev.soloist.coordination.delayed.cas;

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
import dev.soloist.coordination.delayed.QueueLimits;
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
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The delayed tasks of one job on a server that has no scripts but can compare and set one string. Each task is one record
 * that is changed only by compare-and-set, so that every transition of a task is done whole or not at all; a call is
 * several commands, and where a process dies between two of them, the record says what is to become of the task and a
 * sweep carries it on within about ten seconds.
 *
 * <p>What differs from the interface: {@link Enqueue.Fenced} may come after the task was recorded, when the instance was
 * fenced in the middle of the call, and the repeat with the same key goes on from there; {@link #counts} reads sizes one
 * after another; there is one priority, and others are refused; {@link #purge} leaves finished ids to the server, which forgets them at whole
 * seconds. Thread-safe.
 */
public final class CasQueue implements DelayedQueue {

    private static final String NO_KEYS = "deduplication needs a server with scripts, and this one is used in mode Cas";
    private static final String NO_LIMIT = "a rate limit needs a server with scripts, and this one is used in mode Cas";

    private final Entering entering;
    private final Moving moving;
    private final Reserving reserving;
    private final Ending ending;
    private final Upkeep upkeep;
    private final Mending mending;
    private final Reading reading;
    private final Removal removal;

    /**
     * The tasks of a job, with the limits of {@link QueueLimits#DEFAULT}.
     *
     * @param instances of the same job, by the means of the same server
     */
    public CasQueue(RedisLink link, RedisKeys keys, JobId job, Instances instances) {
        this(link, keys, job, instances, () -> QueueLimits.DEFAULT);
    }

    /**
     * The tasks of a job.
     *
     * @param limits asked at each call, but for the retention, which stays as it is now
     */
    public CasQueue(RedisLink link, RedisKeys keys, JobId job, Instances instances, Supplier<QueueLimits> limits) {
        this(link::callBytes, keys, job, Membership.of(instances), limits, Hints.PATIENCE);
    }

    CasQueue(
            Wire wire, RedisKeys keys, JobId job, Membership members, Supplier<QueueLimits> limits, Duration patience) {
        var commands = new Commands(wire);
        var names = new TaskKeys(keys, job);
        var tasks = new Tasks(commands, names, limits.get().retention());
        var hints = new Hints(commands, names, patience);
        this.entering = new Entering(commands, names, tasks, hints, members, limits);
        this.moving = new Moving(commands, names, hints);
        this.reserving = new Reserving(commands, names, tasks, hints, members);
        this.ending = new Ending(commands, names, tasks, hints, members);
        this.upkeep = new Upkeep(commands, names, tasks, hints, members, limits);
        this.mending = new Mending(commands, names, tasks, hints);
        this.reading = new Reading(commands, names, tasks, hints);
        this.removal = new Removal(commands, names);
    }

    /** Removes all that is kept of the job's tasks and instances, page by page. Repeat it when no answer came. */
    public void remove() {
        removal.remove();
    }

    @Override
    public Enqueue enqueue(InstanceId instance, NewTask task) {
        if (task.once() != null) {
            throw RedisUnavailable.refused(NO_KEYS);
        }
        return entering.enqueue(instance, task);
    }

    @Override
    public Moved move(String segment, int max) {
        return moving.move(segment, max);
    }

    @Override
    public Moved moveShared(int max) {
        return moving.move(TaskKeys.SHARED, max);
    }

    @Override
    public Reservation reserve(InstanceId instance, ReserveRequest request) {
        if (request.limit() != null) {
            throw RedisUnavailable.refused(NO_LIMIT);
        }
        return reserving.reserve(instance, request);
    }

    @Override
    public Extension extend(Held held, Duration visibility) {
        return ending.extend(held, visibility);
    }

    @Override
    public List<Ack> ack(List<Held> held) {
        return ending.ack(held);
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
        return entering.reschedule(id, when, instance);
    }

    @Override
    public Swept sweep(InstanceId instance, SweepRequest request) {
        return upkeep.sweep(instance, request);
    }

    @Override
    public Swept sweepToShared(SweepRequest request) {
        return upkeep.sweep(null, request);
    }

    @Override
    public Purged purge() {
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
}
