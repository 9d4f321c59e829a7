package dev.soloist.operator.core;

import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.loop.Turn;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.Reclaim;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes from dead pods what the living need, at once instead of at the end of a lease. It compares instance
/// and fence, so a reclaim that comes late, or twice, hits nobody else. Thread-safe.
public final class Reclaimer {

    /// What was taken.
    public sealed interface Taken {
        JobDefinition job();

        /// A singleton's lease.
        record Lease(JobDefinition job, InstanceId owner, String pod, Fence fence) implements Taken {}

        /// The delayed tasks of dead instances.
        record Segments(JobDefinition job, int instances) implements Taken {}
    }

    private static final Logger LOGGER = LoggerFactory.getLogger(Reclaimer.class);

    private final Store store;
    private final LiveJobs jobs;
    private final Adopter adopter;

    public Reclaimer(Store store, LiveJobs jobs) {
        this.store = store;
        this.jobs = jobs;
        this.adopter = new Adopter();
    }

    /// Takes what the evidence allows from a pod. What fails for one job keeps nothing of the others, and no answer
    /// about
    /// the leases of its app keeps nothing of the jobs.
    ///
    /// @param tell is told of each thing when it was taken, so that nothing goes untold if the next fails
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer; repeat the call
    public void reclaim(String namespace, String podUid, DeathEvidence evidence, Consumer<Taken> tell) {
        var steps = new ArrayList<Runnable>();
        for (var job : jobs.of(namespace)) {
            switch (job.work()) {
                case SingletonWork work
                when evidence == DeathEvidence.INSTANCE_AND_RUN -> steps.add(() -> lease(job, work, podUid, tell));
                case DelayedWork _ when evidence != DeathEvidence.NONE -> steps.add(() -> segments(job, podUid, tell));
                case SingletonWork _, DelayedWork _, BroadcastWork _ -> {}
            }
        }
        if (evidence == DeathEvidence.INSTANCE_AND_RUN) {
            steps.add(() -> leasesOfApp(namespace, podUid));
        }
        Turn.over(steps, Runnable::run);
    }

    private void lease(JobDefinition job, SingletonWork work, String podUid, Consumer<Taken> tell) {
        var snapshot = store.singletons(job).snapshot(job.id());
        var run = snapshot.current();
        if (run == null || !run.owner().podUid().equals(podUid)) {
            return;
        }
        var request = JobWatchdog.request(job, work, snapshot);
        if (store.singletons(job).reclaim(job.id(), run.owner(), run.fence(), request) instanceof Reclaim.Reclaimed) {
            tell.accept(new Taken.Lease(job, run.owner(), run.pod(), run.fence()));
        }
    }

    /// What its app holds by name ends with it, however many leases there are in the namespace.
    private void leasesOfApp(String namespace, String podUid) {
        var leases = store.leases(namespace);
        leases.each(lease -> {
            if (lease instanceof LeaseView.OfApp app && app.holder().podUid().equals(podUid)) {
                leases.release(new LeaseName(app.name()), app.holder(), app.fence());
                LOGGER.atInfo()
                        .addKeyValue("namespace", namespace)
                        .log(
                                "pod {} has ended: its lease '{}' is free",
                                app.holder().podName(),
                                app.name());
            }
        });
    }

    private void segments(JobDefinition job, String podUid, Consumer<Taken> tell) {
        var adopted = new AtomicInteger();
        try {
            Turn.over(
                    store.instancesOfAll(job.id()), shard -> adopted.addAndGet(adopter.adoptTerminated(shard, podUid)));
        } finally {
            if (adopted.get() > 0) {
                tell.accept(new Taken.Segments(job, adopted.get()));
            }
        }
    }
}
