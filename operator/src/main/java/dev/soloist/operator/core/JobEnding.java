package dev.soloist.operator.core;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.Deletion;
import java.time.Duration;

/// Ends a job's state in Redis. A run in progress is asked to stop, and the job is not over before that run is: a
/// namesake made too early
/// would run beside it.
public final class JobEnding {

    private static final Duration SOON = Duration.ofMillis(500);

    /// How far it has come.
    public sealed interface Progress {
        /// Nothing of the job can run any more.
        record Over() implements Progress {}

        /// A run may still be in progress; ask again.
        record Running(Duration retryAfter) implements Progress {}
    }

    private final Store store;
    private final JobWatchdog watchdog;

    public JobEnding(Store store, JobWatchdog watchdog) {
        this.store = store;
        this.watchdog = watchdog;
    }

    /// One step towards the end; repeat until it is over.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    public Progress end(JobDefinition job) {
        store.registrations().withdraw(job.id());
        return switch (job.work()) {
            case SingletonWork _ -> endSingleton(job);
            case DelayedWork _ -> over(job);
        };
    }

    private Progress endSingleton(JobDefinition job) {
        return switch (store.singletons().delete(job.id(), job.uid())) {
            case Deletion.Deleted() -> over(job);
            case Deletion.Absent() -> over(job);
            case Deletion.OtherUid(var _) -> over(job);
            case Deletion.AfterRun(var remaining) -> {
                // The holder may be dead: then nobody but a watchdog completes the deletion, at the end of the lease.
                watchdog.look(job);
                yield new Progress.Running(remaining.compareTo(SOON) < 0 ? remaining.plusMillis(50) : SOON);
            }
        };
    }

    private Progress over(JobDefinition job) {
        watchdog.forget(job.id());
        return new Progress.Over();
    }
}
