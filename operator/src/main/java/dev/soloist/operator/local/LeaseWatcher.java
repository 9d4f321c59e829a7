package dev.soloist.operator.local;

import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.singleton.SingletonStore;
import java.time.Duration;

/// Tells who takes the lease of a job, from the job's record in Redis.
final class LeaseWatcher implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(100);

    private final SingletonStore store;
    private final JobId job;
    private final Timeline timeline;
    private final BackgroundLoop loop;
    private String last = "";

    private LeaseWatcher(SingletonStore store, JobId job, Timeline timeline) {
        this.store = store;
        this.job = job;
        this.timeline = timeline;
        this.loop = new BackgroundLoop("leases of " + job, this::runOnce, e -> {});
    }

    static LeaseWatcher start(SingletonStore store, JobId job, Timeline timeline) {
        var watcher = new LeaseWatcher(store, job, timeline);
        watcher.loop.start();
        return watcher;
    }

    private Duration runOnce() {
        var run = store.snapshot(job).current();
        if (run != null && !run.fence().toString().equals(last)) {
            last = run.fence().toString();
            timeline.say("lease", job.name() + ": " + run.pod() + " holds it, fence " + last);
        }
        return EVERY;
    }

    @Override
    public void close() {
        loop.close();
    }
}
