package dev.soloist.sidecar;

import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.sidecar.api.ApiServer;
import dev.soloist.sidecar.broadcast.BroadcastWorker;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.jobs.JobDirectory;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.jobs.JobWorker.Eligibility;
import dev.soloist.sidecar.jobs.JobWorker.Ending;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.lease.AppLeases;
import dev.soloist.sidecar.metrics.Health;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.metrics.MetricsServer;
import dev.soloist.sidecar.settings.SidecarSettings;
import dev.soloist.sidecar.singleton.SingletonWorker;
import dev.soloist.sidecar.store.Store;
import dev.soloist.sidecar.token.LocalToken;
import dev.soloist.sidecar.trigger.App;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole sidecar. Construction listens and returns, whether Redis is there or not; {@link #stop} ends it in order within a budget.
 * A process that is killed instead leaves leases and segments that others take over.
 */
public final class Sidecar implements Health, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Sidecar.class);
    private static final Duration FOR_OPEN_REQUESTS = Duration.ofSeconds(1);
    private static final Duration FOR_LEAVING = Duration.ofSeconds(2);

    private final SidecarSettings settings;
    private final Pace pace;
    private final Pod pod;
    private final LocalToken token;
    private final App app;
    private final Meters meters = new Meters();
    private final Store store;
    private final JobDirectory jobs;
    private final ApiServer api;
    private final MetricsServer metrics;
    private volatile boolean ready = true;

    /** Writes the token and listens; fails when a port is taken. */
    public Sidecar(SidecarSettings settings, Pace pace) throws IOException {
        this.settings = settings;
        this.pace = pace;
        this.pod = Pod.started(settings.namespace(), settings.podName(), settings.podUid(), settings.segmentBase());
        this.token = LocalToken.establish(settings.tokenFile());
        this.app = new App(token, settings.triggerPort());
        this.store = new Store(settings, meters);
        this.jobs = new JobDirectory(store, pod, pace, meters, this::worker);
        this.api = new ApiServer(settings.environment().apiPort(), token, jobs, new AppLeases(store, pod), meters);
        this.metrics = new MetricsServer(
                settings.environment().metricsAddress(), settings.environment().metricsPort(), meters, this);
    }

    /** Begins to work. */
    public Sidecar start() {
        store.start();
        jobs.start();
        LOGGER.info("sidecar of pod {}/{} is up as {}", pod.namespace(), pod.name(), pod.instance());
        return this;
    }

    private JobWorker worker(JobDefinition job, Eligibility eligibility) {
        return switch (job.work()) {
            case SingletonWork _ -> new SingletonWorker(store, pod, pace, meters, app, job, eligibility);
            case DelayedWork _ -> new DelayedWorker(store, pod, pace, meters, app, job, eligibility);
            case BroadcastWork _ -> new BroadcastWorker(store, meters, app, job, eligibility);
        };
    }

    /** The port the API listens on, also when any free one was asked for. */
    public int apiPort() {
        return api.port();
    }

    /** The port of metrics and probes. */
    public int metricsPort() {
        return metrics.port();
    }

    /** What the app sends as its {@code Authorization}. */
    public String authorization() {
        return token.authorization();
    }

    @Override
    public boolean started() {
        return true;
    }

    @Override
    public boolean ready() {
        return ready;
    }

    /**
     * Ends in order: nothing new, wait for what runs, give back, answer the app until then, resign. Called once. Takes no longer than
     * the budget, whether Redis answers or not.
     */
    public void stop(Duration budget) {
        long begun = System.nanoTime();
        ready = false;
        var forWork = budget.minus(FOR_OPEN_REQUESTS).minus(FOR_LEAVING);
        var why = settings.endsWithApp() ? Ending.SIDECAR : Ending.POD;
        jobs.stop(why, forWork.isPositive() ? forWork : Duration.ofMillis(100));
        api.close(FOR_OPEN_REQUESTS);
        jobs.leave(FOR_LEAVING);
        var left = jobs.leftovers();
        LOGGER.info(
                "sidecar of pod {}/{} ends after {} ms{}",
                pod.namespace(),
                pod.name(),
                Duration.ofNanos(System.nanoTime() - begun).toMillis(),
                left.isEmpty() ? "" : "; left for others: " + left);
        close();
    }

    /** Stops with the budget that the pod's grace allows. */
    public void stop() {
        stop(settings.shutdownBudget());
    }

    /** Ends at once, giving nothing back. */
    @Override
    public void close() {
        ready = false;
        jobs.close();
        api.close();
        metrics.close();
        store.close();
    }
}
