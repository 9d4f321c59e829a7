package dev.soloist.operator.core;

import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.Reclaim;
import java.util.ArrayList;
import java.util.List;
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
        this.adopter = new Adopter(store);
    }

    /// Takes what the evidence allows from a pod.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer; repeat the call
    public List<Taken> reclaim(String namespace, String podUid, DeathEvidence evidence) {
        var taken = new ArrayList<Taken>();
        if (evidence == DeathEvidence.NONE) {
            return taken;
        }
        if (evidence == DeathEvidence.INSTANCE_AND_RUN) {
            leasesOfApp(namespace, podUid);
        }
        for (var job : jobs.of(namespace)) {
            switch (job.work()) {
                case SingletonWork work
                when evidence == DeathEvidence.INSTANCE_AND_RUN -> lease(job, work, podUid, taken);
                case SingletonWork _, BroadcastWork _ -> {}
                case DelayedWork _ -> segments(job, podUid, taken);
            }
        }
        return taken;
    }

    private void lease(JobDefinition job, SingletonWork work, String podUid, List<Taken> taken) {
        var snapshot = store.singletons(job).snapshot(job.id());
        var run = snapshot.current();
        if (run == null || !run.owner().podUid().equals(podUid)) {
            return;
        }
        var request = JobWatchdog.request(job, work, snapshot);
        if (store.singletons(job).reclaim(job.id(), run.owner(), run.fence(), request) instanceof Reclaim.Reclaimed) {
            taken.add(new Taken.Lease(job, run.owner(), run.pod(), run.fence()));
        }
    }

    /// What its app holds by name ends with it.
    private void leasesOfApp(String namespace, String podUid) {
        var leases = store.leases(namespace);
        for (var lease : leases.list().leases()) {
            if (lease instanceof LeaseView.OfApp app && app.holder().podUid().equals(podUid)) {
                leases.release(new LeaseName(app.name()), app.holder(), app.fence());
                LOGGER.atInfo()
                        .addKeyValue("namespace", namespace)
                        .log(
                                "pod {} has ended: its lease '{}' is free",
                                app.holder().podName(),
                                app.name());
            }
        }
    }

    private void segments(JobDefinition job, String podUid, List<Taken> taken) {
        var adopted = adopter.adoptTerminated(job.id(), podUid);
        if (adopted > 0) {
            taken.add(new Taken.Segments(job, adopted));
        }
    }
}
