package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Signal;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.sidecar.jobs.JobWorker.Eligibility;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.metrics.JobMeters;
import dev.soloist.sidecar.metrics.Meters;

/** What the parts of one delayed job share. The definition is swapped whole when the operator writes a newer one. Thread-safe. */
final class DelayedJob {

    private final CoordinationStore store;
    private final DelayedQueue queue;
    private final Instances instances;
    private final Pod pod;
    private final Pace pace;
    private final Meters meters;
    private final JobMeters jobMeters;
    private volatile JobDefinition definition;
    private volatile Eligibility eligibility;
    private volatile boolean taking = true;
    private final Signal ended = new Signal();

    DelayedJob(
            CoordinationStore store,
            Instances instances,
            Pod pod,
            Pace pace,
            Meters meters,
            JobDefinition definition,
            Eligibility eligibility) {
        this.store = store;
        this.instances = instances;
        this.pod = pod;
        this.pace = pace;
        this.meters = meters;
        this.jobMeters = meters.job(definition.id().name()).ofDelayed();
        this.definition = definition;
        this.eligibility = eligibility;
        this.queue = store.queue(definition.id(), () -> QueueLimits.of(this.definition));
    }

    RedisLink link() {
        return store.link();
    }

    /** Whether a call made now would be sent. */
    boolean isStoreUsable() {
        return store.isUsable();
    }

    DelayedQueue queue() {
        return queue;
    }

    Instances instances() {
        return instances;
    }

    Pod pod() {
        return pod;
    }

    Pace pace() {
        return pace;
    }

    JobMeters meters() {
        return jobMeters;
    }

    JobDefinition definition() {
        return definition;
    }

    DelayedWork work() {
        return (DelayedWork) definition.work();
    }

    /** What the queue may hold, as the definition says now. */
    QueueLimits limits() {
        return QueueLimits.of(definition);
    }

    String name() {
        return definition.id().name();
    }

    void update(JobDefinition newer, Eligibility now) {
        definition = newer;
        eligibility = now;
    }

    void stopTaking() {
        taking = false;
    }

    /** Whether this worker is on its way out. */
    boolean isEnding() {
        return !taking;
    }

    /** Whether tasks may be reserved here now. */
    boolean consumes() {
        return taking && !definition.suspended() && eligibility == Eligibility.ELIGIBLE;
    }

    /** Raised whenever something that was at work has ended. */
    Signal ended() {
        return ended;
    }

    void loopFailed(String loop) {
        meters.loopFailed(loop);
    }
}
