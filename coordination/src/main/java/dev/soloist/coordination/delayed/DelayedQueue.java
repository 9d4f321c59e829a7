package dev.soloist.coordination.delayed;

import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The delayed tasks of one job. An accepted task is delivered at least once, not before its due by the Redis clock, to one
 * holder at a time; a second delivery happens when a holder vanished, let its visibility pass, or gave the task back.
 *
 * <p>Every call is one script, so it is done whole or not at all wherever a process dies; calls that change something may
 * be repeated after a lost answer, as each says. When something becomes ready, a hint is sent on {@link
 * RedisKeys#queueWake}. All calls block, and throw {@code RedisUnavailable} when no answer came and {@code ScriptFailed}
 * when the stored data is not of our form. Thread-safe.
 */
public final class DelayedQueue {

    private final Enqueueing enqueueing;
    private final Delivery delivery;
    private final Ending ending;
    private final Upkeep upkeep;
    private final Reading reading;
    private final QueueKeys keys;

    /** The queue of a job, with the limits of {@link QueueLimits#DEFAULT}. */
    public DelayedQueue(ScriptRunner scripts, RedisKeys keys, JobId job) {
        this(scripts, keys, job, QueueLimits.DEFAULT);
    }

    /** The queue of a job. */
    public DelayedQueue(ScriptRunner scripts, RedisKeys keys, JobId job, QueueLimits limits) {
        this.keys = new QueueKeys(keys, job);
        this.enqueueing = new Enqueueing(scripts, this.keys, limits);
        this.delivery = new Delivery(scripts, this.keys);
        this.ending = new Ending(scripts, this.keys, limits);
        this.upkeep = new Upkeep(scripts, this.keys, limits);
        this.reading = new Reading(scripts, this.keys);
    }

    /**
     * Records a task in the caller's own segment, or merges it into the waiting task of the same id. Repeat it with the
     * same request key until it is answered: it is one submission.
     *
     * @param instance of the caller; must be registered and not fenced
     */
    public Enqueue enqueue(InstanceId instance, NewTask task) {
        return enqueueing.enqueue(instance, task);
    }

    /**
     * Makes the due tasks of a segment ready. Anybody may do so for any segment, any number of times.
     *
     * @param segment its name: an instance, usually one's own or an adopted one
     * @param max 1 to 1000; 500 take about a millisecond of the server
     */
    public Moved move(String segment, int max) {
        return delivery.move(keys.segment(segment), max);
    }

    /** As {@link #move} for the segment that belongs to nobody; every sidecar looks after it. */
    public Moved moveShared(int max) {
        return delivery.move(keys.shared(), max);
    }

    /**
     * Takes ready tasks. A repeat with the same nonce, made before any other reservation of this instance, gets the same
     * tasks, their visibility begun anew.
     *
     * @param instance of the caller; must be registered and not fenced
     */
    public Reservation reserve(InstanceId instance, ReserveRequest request) {
        return delivery.reserve(instance, request);
    }

    /** Keeps a task hidden from others for the given time from now. May be repeated. */
    public Extension extend(Held held, Duration visibility) {
        return delivery.extend(held, visibility);
    }

    /**
     * Ends tasks as handled, one answer each in the same order. May be repeated. It counts also after the visibility has
     * passed, as long as nobody has taken the task back.
     */
    public List<Ack> ack(List<Held> held) {
        return ending.ack(held);
    }

    /** Ends one task as handled. */
    public Ack ack(Held held) {
        return ending.ack(List.of(held)).getFirst();
    }

    /**
     * Gives a task back unhandled. May be repeated.
     *
     * @param instance of the caller, fenced or not: what it holds it may always give back
     * @param maxAttempts a failed task that had as many goes to the dead letters
     */
    public GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        return ending.giveBack(instance, back, maxAttempts);
    }

    /** Withdraws a task. May be repeated. A dead letter is removed by it, too. */
    public Cancellation cancel(TaskId id) {
        return ending.cancel(id);
    }

    /** Gives a waiting task another due. A repeat with a delay counts the delay anew. */
    public Rescheduling reschedule(TaskId id, When when, InstanceId instance) {
        return enqueueing.reschedule(id, when, instance);
    }

    /** Takes back tasks whose visibility is over, into the caller's segment. Any number of sweepers may run at a time. */
    public Swept sweep(InstanceId instance, SweepRequest request) {
        return upkeep.sweep(instance, request);
    }

    /** As {@link #sweep} for a caller without a segment: the tasks go to the shared one. */
    public Swept sweepToShared(SweepRequest request) {
        return upkeep.sweep(null, request);
    }

    /** Forgets what is over its retention or limits, a bounded number per call. */
    public Purged purge() {
        return upkeep.purge();
    }

    /** Mends the indexes of one small page of records and names the next step. For slow, steady use by one caller. */
    public Repaired repair(Repair step) {
        return upkeep.repair(step);
    }

    /** Reads one task; empty if it never was, or ended longer ago than the retention. */
    public Optional<TaskView> inspect(TaskId id) {
        return reading.inspect(id);
    }

    /**
     * Counts the tasks.
     *
     * @param segments all that instances own; a segment left out makes {@code oldestOverdue} blind for it, nothing else
     */
    public QueueCounts counts(Collection<String> segments) {
        return reading.counts(segments);
    }

    /**
     * Lists dead letters, the latest first.
     *
     * @param skip how many to pass over
     * @param max 1 to 100
     */
    public List<DeadTask> dead(int skip, int max) {
        return reading.dead(skip, max);
    }

    /** Makes a dead task ready again as if it had never been tried. */
    public Requeue requeue(TaskId id) {
        return reading.requeue(id);
    }
}
