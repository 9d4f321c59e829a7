package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.singleton.CurrentRun;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.coordination.singleton.Watch;
import dev.soloist.coordination.singleton.WatchRequest;
import dev.soloist.coordination.singleton.WatchVerdict;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.store.Store;
import dev.soloist.sidecar.trigger.App;
import dev.soloist.sidecar.trigger.CancelAnswer;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the record now and then, and soon after a lease should have ended, so that jobs go on while no operator is there. It
 * decides from the record only; any number of watchdogs may look at once.
 */
final class Watchdog implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Watchdog.class);

    private final Store store;
    private final SingletonStore scripts;
    private final Pod pod;
    private final Pace pace;
    private final Meters meters;
    private final App app;
    private final Supplier<JobDefinition> job;
    private final BackgroundLoop loop;
    private final NextLook next = new NextLook(System.nanoTime());

    Watchdog(
            Store store,
            SingletonStore scripts,
            Pod pod,
            Pace pace,
            Meters meters,
            App app,
            Supplier<JobDefinition> job) {
        this.store = store;
        this.scripts = scripts;
        this.pod = pod;
        this.pace = pace;
        this.meters = meters;
        this.app = app;
        this.job = job;
        var name = "watchdog-" + job.get().id().name();
        this.loop = new BackgroundLoop(name, this::runOnce, _ -> meters.loopFailed("watchdog"));
    }

    void start() {
        loop.start();
    }

    /** A lease was seen that would end after the given time: look soon after that. */
    void lookAfter(Duration leaseRemaining) {
        var wait = leaseRemaining.plus(job.get().policy().grace()).plusMillis(50);
        if (next.ask(System.nanoTime() + wait.toNanos())) {
            loop.wake();
        }
    }

    private Duration runOnce() {
        long left = next.left(System.nanoTime());
        if (left > 0) {
            return Duration.ofNanos(left);
        }
        if (!store.data().isUsable()) {
            return Duration.ofSeconds(1);
        }
        var wait = look(job.get());
        next.looked(System.nanoTime(), wait.toNanos());
        return Duration.ofNanos(Math.max(0, next.left(System.nanoTime())));
    }

    private Duration look(JobDefinition definition) {
        var snapshot = scripts.snapshot(definition.id());
        var request = WatchRequest.of(definition.policy(), (SingletonWork) definition.work(), snapshot);
        boolean mine = snapshot.current() != null
                && takeFromPredecessor(definition, snapshot.generation(), snapshot.current(), request);
        var watch = scripts.watch(definition.id(), request);
        note(definition, watch);
        return watch.verdict() == WatchVerdict.WAIT || mine
                ? Pace.jittered(Duration.ofSeconds(1))
                : Pace.jittered(pace.watchdog());
    }

    /**
     * An earlier start of the sidecar in this pod is certainly dead, but the app may still be at its run: the lease is taken from it
     * only when the app says that it has stopped.
     *
     * @return whether there is such a run and it goes on
     */
    private boolean takeFromPredecessor(
            JobDefinition definition, long generation, CurrentRun run, WatchRequest request) {
        if (!pod.isPredecessor(run.owner())) {
            return false;
        }
        var runId = definition.id().name() + "/" + generation + "/" + run.fence();
        var answer = app.cancel(definition.trigger(), "run", runId, Duration.ofSeconds(2));
        if (answer != CancelAnswer.ACKNOWLEDGED) {
            return true;
        }
        scripts.reclaim(definition.id(), run.owner(), run.fence(), request);
        LOGGER.info(
                "job {}: took the lease from this pod's former sidecar, whose run the app has ended", definition.id());
        return false;
    }

    private void note(JobDefinition definition, Watch watch) {
        meters.job(definition.id().name()).verdict(label(watch.verdict()));
        switch (watch.verdict()) {
            case ABANDONED, LOST_TOKEN, PROMOTED -> LOGGER.info("job {}: mended: {}", definition.id(), watch);
            case CORRUPT ->
                LOGGER.warn(
                        "job {}: its lock fits no run; somebody else writes here, nothing was changed",
                        definition.id());
            case OK, WAIT, ABSENT -> LOGGER.debug("job {}: {}", definition.id(), watch.verdict());
        }
    }

    private static String label(WatchVerdict verdict) {
        var words = verdict.name().toLowerCase(Locale.ROOT).split("_", -1);
        return words.length == 1
                ? words[0]
                : words[0] + words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
    }

    @Override
    public void close() {
        loop.close();
    }
}
