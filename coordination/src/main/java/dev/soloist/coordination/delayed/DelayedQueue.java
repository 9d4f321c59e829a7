package dev.soloist.coordination.delayed;

import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.ScriptRunner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The delayed tasks of one job. An accepted task is delivered at least once, not before its due by the Redis clock, to one
 * holder at a time; a second delivery happens when a holder vanished, let its visibility pass, or gave the task back.
 *
 * <p>Where a process dies inside a call, the task is where it was or where it was to go; calls that change something may
 * be repeated after a lost answer, as each says. When something becomes ready, a hint is sent on {@link
 * RedisKeys#queueWake}. All calls block, and throw {@code RedisUnavailable} when no answer came and {@code ScriptFailed}
 * when the stored data is not of our form. Thread-safe.
 */
public interface DelayedQueue {

    /** The queue of a job on a server with scripts, with the limits of {@link QueueLimits#DEFAULT}. */
    static DelayedQueue of(ScriptRunner scripts, RedisKeys keys, JobId job) {
        return of(scripts, keys, job, QueueLimits.DEFAULT);
    }

    /** The queue of a job on a server with scripts. */
    static DelayedQueue of(ScriptRunner scripts, RedisKeys keys, JobId job, QueueLimits limits) {
        return of(scripts, keys, job, () -> limits);
    }

    /**
     * The queue of a job on a server with scripts. Queues of one job by different transports may be used at a time, for
     * they have the same records.
     *
     * @param limits asked at each call, for a job's definition may change
     */
    static DelayedQueue of(ScriptRunner scripts, RedisKeys keys, JobId job, Supplier<QueueLimits> limits) {
        return new ScriptedQueue(scripts, keys, job, limits);
    }

    /** The most tasks of one {@link #enqueueAll}. */
    int MAX_BATCH = 100;

    /** The most payload of one {@link #enqueueAll} of several tasks, in bytes: the server does nothing else meanwhile. */
    int MAX_BATCH_BYTES = 1024 * 1024;

    /**
     * Checks the bounds of one {@link #enqueueAll}.
     *
     * @throws IllegalArgumentException naming the one that is passed
     */
    static void checkBatch(List<NewTask> tasks) {
        if (tasks.isEmpty() || tasks.size() > MAX_BATCH) {
            throw new IllegalArgumentException("a batch has 1 to " + MAX_BATCH + " tasks, not " + tasks.size());
        }
        long bytes =
                tasks.stream().mapToLong(task -> task.payload().bytes().length).sum();
        if (tasks.size() > 1 && bytes > MAX_BATCH_BYTES) {
            throw new IllegalArgumentException(
                    "the payloads of a batch have at most " + MAX_BATCH_BYTES + " bytes, these have " + bytes);
        }
    }

    /**
     * Records a task in the caller's own segment, or merges it into the waiting task of the same id. Repeat it with the
     * same request key until it is answered: it is one submission.
     *
     * @param instance of the caller; must be registered and not fenced
     */
    Enqueue enqueue(InstanceId instance, NewTask task);

    /**
     * As {@link #enqueue(InstanceId, NewTask)}, with an acceptance that counts only when it is as durable as is wanted. One
     * that is not may be forgotten by a failover, or not: repeat it with the same request key.
     *
     * @throws RedisUnavailable also, with nothing sent, if it cannot be known what replicas have
     */
    default Acknowledged<Enqueue> enqueue(InstanceId instance, NewTask task, Durability durability) {
        return switch (durability) {
            case Durability.Local() -> Acknowledged.of(enqueue(instance, task));
            case Durability.Replicated _ -> throw RedisUnavailable.refused(Durability.UNKNOWABLE);
        };
    }

    /**
     * Enqueues several tasks, each with an answer of its own in the same order. Where there are scripts it is one round trip
     * and all are judged at one moment; without them it is one task after another. Repeat it as a whole, each task with
     * its former request key, until it is answered. A queue that is in several places asks each of them for its own: what
     * one does not answer is {@link Enqueue.Unanswered}, and only when there is no answer at all it throws.
     *
     * @param tasks 1 to {@link #MAX_BATCH}, of at most {@link #MAX_BATCH_BYTES} together
     * @return not enough if any task that was accepted may be forgotten
     * @throws IllegalArgumentException if there are too many
     */
    default Acknowledged<List<Enqueue>> enqueueAll(InstanceId instance, List<NewTask> tasks, Durability durability) {
        checkBatch(tasks);
        var answers =
                tasks.stream().map(task -> enqueue(instance, task, durability)).toList();
        return new Acknowledged<>(
                answers.stream().map(Acknowledged::answer).toList(),
                answers.stream().allMatch(Acknowledged::enough));
    }

    /**
     * Makes the due tasks of a segment ready. Anybody may do so for any segment, any number of times.
     *
     * @param segment its name: an instance, usually one's own or an adopted one
     * @param max 1 to 1000; 500 take about a millisecond of the server
     */
    Moved move(String segment, int max);

    /** As {@link #move} for the segment that belongs to nobody; every sidecar looks after it. */
    Moved moveShared(int max);

    /**
     * Takes ready tasks. A repeat with the same nonce, made before any other reservation of this instance, gets the same
     * tasks, their visibility begun anew.
     *
     * @param instance of the caller; must be registered and not fenced
     */
    Reservation reserve(InstanceId instance, ReserveRequest request);

    /** Keeps a task hidden from others for the given time from now. May be repeated. */
    Extension extend(Held held, Duration visibility);

    /**
     * As {@link #extend(Held, Duration)}, with an answer that counts only when it is as durable as is wanted. It tells, too,
     * whether replicas follow at all, for they have what was written before it when they have this.
     *
     * @throws RedisUnavailable also, with nothing sent, if it cannot be known what replicas have
     */
    default Acknowledged<Extension> extend(Held held, Duration visibility, Durability durability) {
        return switch (durability) {
            case Durability.Local() -> Acknowledged.of(extend(held, visibility));
            case Durability.Replicated _ -> throw RedisUnavailable.refused(Durability.UNKNOWABLE);
        };
    }

    /**
     * Ends tasks as handled, one answer each in the same order. May be repeated. It counts also after the visibility has
     * passed, as long as nobody has taken the task back.
     */
    List<Ack> ack(List<Held> held);

    /** Ends one task as handled. */
    default Ack ack(Held held) {
        return ack(List.of(held)).getFirst();
    }

    /**
     * Ends one task, with an answer that counts only when it is as durable as is wanted. Repeat it until it is: it is
     * written anew.
     *
     * @throws RedisUnavailable also, with nothing sent, if it cannot be known what replicas have
     */
    default Acknowledged<Ack> ack(Held held, Durability durability) {
        return switch (durability) {
            case Durability.Local() -> Acknowledged.of(ack(held));
            case Durability.Replicated _ -> throw RedisUnavailable.refused(Durability.UNKNOWABLE);
        };
    }

    /**
     * Gives a task back unhandled. May be repeated.
     *
     * @param instance of the caller, fenced or not: what it holds it may always give back
     * @param maxAttempts a failed task that had as many goes to the dead letters
     */
    GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts);

    /** Withdraws a task. May be repeated. A dead letter is removed by it, too. */
    Cancellation cancel(TaskId id);

    /** Gives a waiting task another due. A repeat with a delay counts the delay anew. */
    Rescheduling reschedule(TaskId id, When when, InstanceId instance);

    /** Takes back tasks whose visibility is over, into the caller's segment. Any number of sweepers may run at a time. */
    Swept sweep(InstanceId instance, SweepRequest request);

    /** As {@link #sweep} for a caller without a segment: the tasks go to the shared one. */
    Swept sweepToShared(SweepRequest request);

    /** Forgets what is over its retention or limits, a bounded number per call. */
    Purged purge();

    /** Forgets dead letters whatever their age, at most 100 per call. */
    Purged purgeDead();

    /** Throws a dead task away; one that is not dead is left alone. May be repeated. */
    Discard discard(TaskId id);

    /** Mends the indexes of one small page of records and names the next step. For slow, steady use by one caller. */
    Repaired repair(Repair step);

    /** Reads one task; empty if it never was, or ended longer ago than the retention. */
    Optional<TaskView> inspect(TaskId id);

    /**
     * Counts the tasks.
     *
     * @param segments all that instances own; a segment left out makes {@code oldestOverdue} blind for it, nothing else
     */
    QueueCounts counts(Collection<String> segments);

    /**
     * Lists dead letters, the latest first.
     *
     * @param skip how many to pass over, 0 to {@link #deadReach}
     * @param max 1 to 100
     */
    List<DeadTask> dead(int skip, int max);

    /** How many dead letters can be passed over: of tasks that lie in several places all those have to be read. */
    default int deadReach() {
        return 100_000_000;
    }

    /** Makes a dead task ready again as if it had never been tried. */
    Requeue requeue(TaskId id);

    /** The stream that deliveries go through; empty unless that is the transport now. */
    default Optional<TaskStream> stream() {
        return Optional.empty();
    }
}
