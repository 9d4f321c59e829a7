package dev.soloist.operator.core;

import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.shard.Drain;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.LostLayout;
import dev.soloist.coordination.shard.Shard;
import dev.soloist.coordination.singleton.SingletonSnapshot;
import dev.soloist.coordination.singleton.Watch;
import dev.soloist.coordination.singleton.WatchRequest;
import dev.soloist.coordination.singleton.WatchVerdict;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One look at a job, which mends what it finds: the operator's turn of the watchdog that sidecars run too. It
/// decides from the state in Redis, never from how often it looked, so any number of watchdogs may run.
/// Thread-safe.
public final class JobWatchdog {

    private static final Duration INSTANCE_GRACE = Duration.ofSeconds(10);
    private static final Duration OVERDUE = Duration.ofSeconds(60);
    private static final int PAGE = 100;
    private static final int MOVE = 500;
    private static final int REPAIR_PAGES = 25;

    private final Store store;
    private final Adopter adopter;
    private final Map<ShardOf, Repair> repairs = new ConcurrentHashMap<>();
    private final Map<JobId, Drain> drains = new ConcurrentHashMap<>();
    private final Map<JobId, LostLayout> searches = new ConcurrentHashMap<>();

    private record ShardOf(JobId job, int number) {}

    public JobWatchdog(Store store) {
        this.store = store;
        this.adopter = new Adopter();
    }

    /// Looks once.
    ///
    /// @return what a singleton's watchdog saw; empty for any other job
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer; look again later
    public Optional<Watch> look(JobDefinition job) {
        return look(job, job.work() instanceof DelayedWork ? store.arrange(job) : Layout.SINGLE);
    }

    /// As [#look(JobDefinition)], by the layout of a delayed job's tasks that was just read.
    public Optional<Watch> look(JobDefinition job, Layout layout) {
        return switch (job.work()) {
            case SingletonWork work -> Optional.of(lookAtSingleton(job, work));
            case DelayedWork work -> {
                lookAtQueue(job, work, layout);
                yield Optional.empty();
            }
            case BroadcastWork _ -> Optional.empty();
        };
    }

    /// Drops what is remembered of a job that is gone.
    public void forget(JobId job) {
        repairs.keySet().removeIf(shard -> shard.job().equals(job));
        drains.remove(job);
        searches.remove(job);
    }

    private Watch lookAtSingleton(JobDefinition job, SingletonWork work) {
        var snapshot = store.singletons(job).snapshot(job.id());
        return store.singletons(job).watch(job.id(), request(job, work, snapshot));
    }

    /// What is to become of a run whose holder is silent or dead.
    static WatchRequest request(JobDefinition job, SingletonWork work, SingletonSnapshot snapshot) {
        return WatchRequest.of(job.policy(), work, snapshot);
    }

    /// A shard whose server is away keeps nothing from the others; that it is away is told in the end.
    private void lookAtQueue(JobDefinition job, DelayedWork work, Layout layout) {
        @Nullable RedisUnavailable away = null;
        for (int number = 0; number < layout.active(); number++) {
            try {
                lookAtShard(job.id(), work, store.shard(job, layout, number));
            } catch (RedisUnavailable unanswered) {
                away = unanswered;
            }
        }
        if (away != null) {
            throw away;
        }
        drains.computeIfAbsent(job.id(), store::drain).turn(layout, REPAIR_PAGES);
        if (store.isScripted()) {
            searches.computeIfAbsent(job.id(), _ -> store.lostLayout()).turn(job, layout);
        }
    }

    private void lookAtShard(JobId job, DelayedWork work, Shard shard) {
        var queue = shard.queue();
        var request = new SweepRequest(PAGE, work.backoff(), work.mostReservations());
        while (queue.sweepToShared(request).more()) {
            // One bounded page per call: other clients are served in between.
        }
        while (queue.moveShared(MOVE).count() == MOVE) {
            // As above.
        }
        adopter.adoptSilent(shard.instances(), new Evidence.LeaseOver(INSTANCE_GRACE));
        queue.purge();
        repair(new ShardOf(job, shard.number()), work, shard);
    }

    /// Goes a few pages further in an endless walk through all records.
    private void repair(ShardOf key, DelayedWork work, Shard shard) {
        var last = repairs.get(key);
        var begun = last == null || last.isFinished() ? Repair.begin(work.visibilityTimeout(), OVERDUE) : last;
        var step = begun.owning(shard.instances().segments());
        for (int page = 0; page < REPAIR_PAGES && !step.isFinished(); page++) {
            step = shard.queue().repair(step).next();
        }
        repairs.put(key, step);
    }

    /// Whether people should hear of a verdict.
    public static boolean isNews(Watch watch) {
        return watch.verdict() == WatchVerdict.ABANDONED
                || watch.verdict() == WatchVerdict.LOST_TOKEN
                || watch.verdict() == WatchVerdict.CORRUPT;
    }
}
