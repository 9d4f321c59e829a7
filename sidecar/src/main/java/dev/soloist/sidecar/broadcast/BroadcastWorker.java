package dev.soloist.sidecar.broadcast;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.sidecar.jobs.JobWorker;
import java.time.Duration;

/** One broadcast job in this pod. It holds nothing in Redis, so there is nothing to give back. Thread-safe. */
public final class BroadcastWorker implements JobWorker {

    private volatile JobDefinition job;

    /** A worker for the given job. */
    public BroadcastWorker(JobDefinition job) {
        this.job = job;
    }

    @Override
    public JobDefinition job() {
        return job;
    }

    @Override
    public void update(JobDefinition newer, Eligibility eligibility) {
        job = newer;
    }

    @Override
    public void start() {}

    @Override
    public void stopTaking(Ending why) {}

    @Override
    public void stop(Duration budget) {}

    @Override
    public void leave() {}

    @Override
    public String leftovers() {
        return "";
    }
}
