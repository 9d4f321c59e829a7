package dev.soloist.operator.core;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.singleton.AbandonPolicy;
import dev.soloist.coordination.singleton.Deletion;
import dev.soloist.coordination.singleton.WatchRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Ends a job's state in Redis, whatever kind of job it is. A run in progress is asked to stop, and the job is not
/// over before that run is: a namesake made too early would run beside it. Delayed tasks go with their job.
/// Thread-safe.
public final class JobEnding {

    private static final Duration SOON = Duration.ofMillis(500);
    private static final Duration GRACE = Duration.ofSeconds(2);

    /// How far it has come.
    public sealed interface Progress {
        /// Nothing of the job can run any more.
        record Over() implements Progress {}

        /// A run may still be in progress, or sidecars may not have heard of the end; ask again.
        record Running(Duration retryAfter) implements Progress {}
    }

    private final Store store;
    private final JobWatchdog watchdog;
    private final Set<String> withdrawn = ConcurrentHashMap.newKeySet();

    public JobEnding(Store store, JobWatchdog watchdog) {
        this.store = store;
        this.watchdog = watchdog;
    }

    /// One step towards the end; repeat until it is over.
    ///
    /// @param uid of the object that ends; the state of a namesake is left alone
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    public Progress end(JobId job, String uid) {
        store.registrations().withdraw(job);
        if (withdrawn.add(uid)) {
            // Sidecars hear of it by a message; a moment later none of them writes to the queue any more.
            store.everywhere().forEach(place -> place.delete(job, uid));
            return new Progress.Running(SOON);
        }
        for (var place : store.everywhere()) {
            if (place.delete(job, uid) instanceof Deletion.AfterRun(var remaining)) {
                // The holder may be dead: then nobody but a watchdog completes the deletion, at the end of the lease.
                place.watch(job, onlyComplete());
                return new Progress.Running(remaining.compareTo(SOON) < 0 ? remaining.plusMillis(50) : SOON);
            }
        }
        store.removeQueue(job);
        store.removeEvents(job);
        forget(job, uid);
        return new Progress.Over();
    }

    /// Drops what is remembered of a job, also when its end was given up.
    public void forget(JobId job, String uid) {
        withdrawn.remove(uid);
        watchdog.forget(job);
    }

    /// A job that is being deleted has no next slot, whatever the request says.
    private static WatchRequest onlyComplete() {
        var any = new Backoff(SOON, 1, SOON);
        return new WatchRequest(GRACE, AbandonPolicy.SKIP, Instant.EPOCH, any, 0);
    }
}
