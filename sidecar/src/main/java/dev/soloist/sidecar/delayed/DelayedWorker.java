package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.OnceWithin;
import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.delayed.stream.ReplayRequest;
import dev.soloist.coordination.delayed.stream.StreamState;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.store.Store;
import dev.soloist.sidecar.trigger.App;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One delayed job in this pod, both ways: takes tasks from the app, and delivers due ones to it. Thread-safe. */
public final class DelayedWorker implements JobWorker {

    private static final Logger LOGGER = LoggerFactory.getLogger(DelayedWorker.class);

    private final DelayedJob job;
    private final Room room;
    private final Shards shards;
    private final Enqueuer enqueuer;
    private final DepthReader depths;
    private final JobLog events;

    /** A worker that is not started yet. */
    public DelayedWorker(
            Store store,
            Pod pod,
            Pace pace,
            Meters meters,
            App app,
            JobDefinition definition,
            Eligibility eligibility) {
        this.job = new DelayedJob(store.data(), this::whole, pod, pace, meters, definition, eligibility);
        this.room = new Room(job);
        this.shards = new Shards(job, app, room, this::forgetDuplicates);
        this.enqueuer = new Enqueuer(job, shards);
        this.depths = new DepthReader(job, shards);
        this.events = store.data().taskLog(definition.id());
    }

    private void forgetDuplicates() {
        enqueuer.forgetDuplicates();
    }

    private DelayedQueue whole() {
        return shards.route().whole();
    }

    @Override
    public JobDefinition job() {
        return job.definition();
    }

    @Override
    public void update(JobDefinition newer, Eligibility eligibility) {
        boolean spreadAnew = Layout.wish(newer) != Layout.wish(job.definition());
        job.update(newer, eligibility);
        if (spreadAnew) {
            shards.wake();
        }
        shards.workers().forEach(ShardWorker::wakeConsumer);
    }

    @Override
    public void start() {
        shards.start();
        depths.start();
    }

    /** What the job's queue may hold now. */
    public QueueLimits limits() {
        return job.limits();
    }

    /** What happens to an id that is waiting already, as the job says now. */
    public OnDuplicate onDuplicate() {
        return job.work().onDuplicate();
    }

    /** Whether tasks of the job have deduplication keys. */
    public boolean deduplicates() {
        return job.work().deduplication() != null;
    }

    /** How long nothing else is to be taken for work of this key, as the job says now; null for no deduplication. */
    public @Nullable OnceWithin once(TaskId key) {
        var rule = job.work().deduplication();
        return rule == null ? null : new OnceWithin(key, rule.window(), rule.releaseOn());
    }

    /**
     * Records tasks for the app, where there are scripts in one round trip; one answer each in the same order.
     *
     * @param tasks within the bounds of {@link DelayedQueue#enqueueAll}
     * @return an acceptance that is not acknowledged by enough replicas is not to be told as one
     * @throws dev.soloist.coordination.link.RedisUnavailable if no answer came in time; tasks may be recorded. When shards
     *     differ in that, those of the silent ones are {@link Enqueue.Unanswered}
     */
    public Acknowledged<List<Enqueue>> enqueue(List<NewTask> tasks) throws InterruptedException {
        return enqueuer.enqueue(tasks);
    }

    /** Whether the tasks are in several places, of which one may be away and the others not. */
    public boolean isSpread() {
        return shards.count() > 1;
    }

    /** The tasks that were given up. */
    public DeadLetters deadLetters() {
        return new DeadLetters(job);
    }

    /** Gives a waiting task another due; throws as {@link #enqueue} does. */
    public Rescheduling reschedule(TaskId id, When when) throws InterruptedException {
        return enqueuer.reschedule(id, when);
    }

    /** Withdraws a task, or removes a dead one. */
    public Cancellation cancel(TaskId id) {
        return job.queue().cancel(id);
    }

    /** Has tasks handled again. Throws as {@link #enqueue} does. */
    public Replaying replay(ReplayRequest request) throws InterruptedException {
        return enqueuer.replay(request);
    }

    /** What the job's stream holds now; empty unless it has one. */
    public Optional<StreamState> stream() {
        return job.queue().stream().map(TaskStream::state);
    }

    /** Which tasks of the job died. */
    public JobLog events() {
        return events;
    }

    /** Reads one task. */
    public Optional<TaskView> inspect(TaskId id) {
        return job.queue().inspect(id);
    }

    /** Sizes of the whole queue now. */
    public QueueCounts counts() {
        return depths.read();
    }

    /** When the first task that waits is due; empty when none waits. */
    public Optional<Instant> head() {
        return depths.head();
    }

    @Override
    public void stopTaking(Ending why) {
        job.stopTaking();
    }

    @Override
    public void stop(Duration budget) {
        job.stopTaking();
        long end = System.nanoTime() + budget.toNanos();
        var forGivingBack = Pace.earlier(Duration.ofSeconds(3), budget.dividedBy(3));
        awaitQuiet(end - forGivingBack.toNanos());
        room.running().forEach(Delivery::cutShort);
        awaitQuiet(end);
    }

    private void awaitQuiet(long endNanos) {
        try {
            job.ended().await(() -> !isBusy(), endNanos);
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isBusy() {
        return !room.running().isEmpty() || shards.workers().stream().anyMatch(ShardWorker::isBusy);
    }

    @Override
    public void leave() {
        List.<AutoCloseable>of(shards, depths).forEach(DelayedWorker::close);
        // Side by side: one whose server is away takes its time.
        var leaving = shards.workers().stream()
                .map(worker -> Thread.ofVirtual().start(worker::leave))
                .toList();
        try {
            for (var one : leaving) {
                one.join();
            }
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception unexpected) {
            LOGGER.warn("a part did not close", unexpected);
        }
    }

    @Override
    public String leftovers() {
        int held = room.running().size()
                + shards.workers().stream().mapToInt(ShardWorker::open).sum();
        return held == 0
                ? ""
                : "job " + job.definition().id() + ": " + held + " tasks, delivered again after their visibility";
    }
}
