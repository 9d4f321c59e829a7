package dev.soloist.sidecar.jobs;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.registration.Registrations;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.sidecar.jobs.JobWorker.Eligibility;
import dev.soloist.sidecar.jobs.JobWorker.Ending;
import dev.soloist.sidecar.metrics.Meters;
import dev.soloist.sidecar.store.Store;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs of this pod as last read from the board, with one worker each. Thread-safe. */
public final class JobDirectory implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(JobDirectory.class);

    private final Pod pod;
    private final Pace pace;
    private final Meters meters;
    private final CoordinationStore store;
    private final Registrations board;
    private final WorkerFactory factory;
    private final Map<String, JobWorker> workers = new ConcurrentHashMap<>();
    private final BackgroundLoop loop;
    private final AutoCloseable subscription;
    private volatile boolean known;
    private volatile Ending ending = Ending.POD;
    private volatile boolean stopping;

    /** A directory that knows no job yet. */
    public JobDirectory(Store store, Pod pod, Pace pace, Meters meters, WorkerFactory factory) {
        this.pod = pod;
        this.pace = pace;
        this.meters = meters;
        this.factory = factory;
        this.store = store.data();
        this.board = store.data().registrations();
        this.loop = new BackgroundLoop("registration", this::runOnce, _ -> meters.loopFailed("registration"));
        this.subscription =
                store.link().subscribe(store.data().keys().registrationWake(pod.namespace()), _ -> loop.wake());
        store.data().gate().onChange(loop::wake);
        gauge("singleton", true);
        gauge("delayed", false);
    }

    /** Begins to read the board. */
    public void start() {
        loop.start();
    }

    /** Whether the operator's word about this pod was ever read: before that, an unknown job may be one that is not known yet. */
    public boolean known() {
        return known;
    }

    /** The worker of a job of this pod, by the job's name. */
    public Optional<JobWorker> find(String job) {
        return Optional.ofNullable(workers.get(job));
    }

    /** Reads the board and brings the workers in line with it. */
    Duration runOnce() {
        if (stopping || !store.isUsable()) {
            return pace.registration();
        }
        var registration = board.read(pod.namespace(), pod.uid());
        if (registration.known()) {
            apply(
                    registration.jobs().stream()
                            .collect(Collectors.toMap(job -> job.id().name(), Function.identity())),
                    Eligibility.of(registration.eligible()));
            known = true;
        }
        // Nothing written about this pod: either it is new, or Redis has lost the board and the operator will write it
        // again.
        return Pace.jittered(pace.registration());
    }

    private void apply(Map<String, JobDefinition> jobs, Eligibility eligibility) {
        for (var name : Set.copyOf(workers.keySet())) {
            var worker = workers.get(name);
            if (worker != null && !continues(worker.job(), jobs.get(name))) {
                workers.remove(name);
                retire(worker, jobs.containsKey(name));
            }
        }
        jobs.forEach((name, job) -> {
            var worker = workers.get(name);
            if (worker != null) {
                worker.update(job, eligibility);
            } else if (!stopping) {
                LOGGER.info("takes part in job {}", name);
                var fresh = factory.create(job, eligibility);
                workers.put(name, fresh);
                fresh.start();
                if (stopping) {
                    // The end began between the look and here, and may not have met this worker.
                    fresh.stopTaking(ending);
                }
            }
        });
    }

    /** A job that was deleted and made anew, changed its kind, or has its lease elsewhere, is another job under the same name. */
    private static boolean continues(JobDefinition old, @Nullable JobDefinition now) {
        return now != null
                && now.uid().equals(old.uid())
                && (now.policy().backend() == old.policy().backend() || !(now.work() instanceof SingletonWork))
                && now.work().getClass().equals(old.work().getClass());
    }

    private void retire(JobWorker worker, boolean replaced) {
        var name = worker.job().id().name();
        LOGGER.info("takes no part in job {} any more; what runs may end", name);
        worker.stopTaking(Ending.JOB);
        Thread.ofVirtual().name("retire-" + name).start(() -> {
            worker.stop(worker.job().policy().maxRunTime());
            worker.leave();
            if (!replaced && !workers.containsKey(name)) {
                meters.forget(name);
            }
        });
    }

    /** Begins nothing new anywhere. */
    public void stopTaking(Ending why) {
        ending = why;
        stopping = true;
        workers.values().forEach(worker -> worker.stopTaking(why));
    }

    /** Ends the work of all workers side by side; requests of the app are still served. */
    public void stop(Ending why, Duration budget) {
        stopTaking(why);
        allWithin(budget.plusSeconds(1), worker -> worker.stop(budget));
    }

    /** Resigns everywhere side by side. */
    public void leave(Duration budget) {
        allWithin(budget, JobWorker::leave);
    }

    private void allWithin(Duration time, Consumer<JobWorker> action) {
        var threads = workers.values().stream()
                .map(worker -> Thread.ofVirtual().start(() -> action.accept(worker)))
                .toList();
        try {
            long end = System.nanoTime() + time.toNanos();
            for (var thread : threads) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is still held, for the last log line. */
    public String leftovers() {
        return workers.values().stream()
                .map(JobWorker::leftovers)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private void gauge(String kind, boolean singleton) {
        meters.gauge(
                "soloist.jobs",
                Tags.of("kind", kind),
                workers,
                map -> map.values().stream()
                        .filter(worker -> worker.job().work() instanceof SingletonWork == singleton)
                        .count());
    }

    @Override
    public void close() {
        try {
            subscription.close();
        } catch (Exception alreadyGone) {
            LOGGER.debug("the registration channel could not be left", alreadyGone);
        }
        loop.close();
    }
}
