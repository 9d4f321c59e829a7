package dev.soloist.operator.local;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.operator.core.DeathEvidence;
import dev.soloist.operator.core.JobWatchdog;
import dev.soloist.operator.core.LiveJobs;
import dev.soloist.operator.core.PodBoard;
import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.core.Reclaimer;
import dev.soloist.operator.core.Store;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The operator's core with local pods in place of a cluster: jobs into force, pods onto the board, reclaim, watchdog.
/// There are no labels here, so each pod takes part in each job.
final class LocalOperator implements AutoCloseable {

    private final Store store;
    private final Plan plan;
    private final Timeline timeline;
    private final LiveJobs jobs = new LiveJobs();
    private final PodBoard board;
    private final Reclaimer reclaimer;
    private final JobWatchdog watchdog;
    private final List<BackgroundLoop> loops = new ArrayList<>();

    LocalOperator(Store store, Plan plan, Timeline timeline) {
        this.store = store;
        this.plan = plan;
        this.timeline = timeline;
        this.board = new PodBoard(store, jobs);
        this.reclaimer = new Reclaimer(store, jobs);
        this.watchdog = new JobWatchdog(store);
    }

    /// Brings all jobs into force and begins to look after them.
    ///
    /// @throws IOException if a job cannot be seeded
    void start() throws IOException {
        var seeder = new Seeder(store);
        for (var job : plan.jobs()) {
            seeder.bringIntoForce(job);
            jobs.put(new LiveJobs.LiveJob(job, Map.of()));
            var loop = new BackgroundLoop("watchdog of " + job.id(), () -> look(job), e -> {});
            loops.add(loop.start());
        }
    }

    /// Takes in what is known of a pod, and takes from a dead one what the living need.
    void see(PodFacts pod) {
        board.write(pod);
        var began = Instant.now();
        reclaimer.reclaim(pod.namespace(), pod.uid(), DeathEvidence.of(pod), taken -> {
            var after = " (" + Timeline.offset(Duration.between(began, Instant.now())) + ")";
            if (taken instanceof Reclaimer.Taken.Lease lease) {
                timeline.say("reclaim", describe(lease) + after);
            }
        });
        if (pod.stage() == PodFacts.Stage.ENDING) {
            plan.jobs().forEach(job -> tellHeirs(job, pod));
        }
    }

    /// Who looks after the tasks of a dead pod: the operator fences its instance, and then whoever is first,
    /// operator or sidecar, has them adopted.
    private void tellHeirs(JobDefinition job, PodFacts dead) {
        if (!(job.work() instanceof DelayedWork)) {
            return;
        }
        var all = store.instancesOfAll(job.id()).stream()
                .flatMap(instances -> instances.list().stream())
                .toList();
        for (var heir : all) {
            boolean ofTheDead = heir.segments().stream().anyMatch(segment -> segment.startsWith(dead.uid()));
            if (ofTheDead && !heir.id().podUid().equals(dead.uid())) {
                timeline.say(
                        "reclaim",
                        job.id().name() + ": " + heir.podName() + " now looks after the delayed tasks of "
                                + dead.name());
            }
        }
    }

    /// Redis' time.
    Instant now() {
        return store.now();
    }

    private Duration look(JobDefinition job) {
        try {
            watchdog.look(job)
                    .filter(JobWatchdog::isNews)
                    .ifPresent(watch -> timeline.say("watchdog", watch.toString()));
        } catch (RedisUnavailable e) {
            timeline.say("watchdog", "Redis does not answer: " + e.getMessage());
        }
        return job.policy().watchdogEvery();
    }

    private static String describe(Reclaimer.Taken.Lease lease) {
        return lease.job().id().name() + ": the lease of " + lease.pod()
                + " is free again, without waiting for its ttl of "
                + lease.job().policy().ttl().toSeconds() + " s";
    }

    @Override
    public void close() {
        loops.forEach(BackgroundLoop::close);
    }
}
