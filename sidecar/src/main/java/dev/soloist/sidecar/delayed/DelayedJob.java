package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Signal;
import dev.soloist.coordination.shard.Shard;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.sidecar.jobs.JobWorker.Eligibility;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.jobs.Pod;
import dev.soloist.sidecar.metrics.JobMeters;
import dev.soloist.sidecar.metrics.Meters;
import java.util.function.Supplier;

/**
 * What the parts of one delayed job share: those of the whole, whose queue are all shards, and those of one shard. The definition is
 * swapped whole when the operator writes a newer one. Thread-safe.
 */
final class DelayedJob {

    /** What is the same for the whole and for each shard. */
    private static final class Common {
        final CoordinationStore store;
        final Pod pod;
        final Meters meters;
        final JobMeters jobMeters;
        final Signal ended = new Signal();
        volatile JobDefinition definition;
        volatile Eligibility eligibility;
        volatile Pace pace;
        volatile boolean taking = true;

        Common(
                CoordinationStore store,
                Pod pod,
                Pace pace,
                Meters meters,
                JobDefinition definition,
                Eligibility eligibility) {
            this.store = store;
            this.pod = pod;
            this.pace = pace;
            this.meters = meters;
            this.jobMeters = meters.job(definition.id().name()).ofDelayed();
            this.definition = definition;
            this.eligibility = eligibility;
        }
    }

    private final Common common;
    private final Pace pace;
    private final Supplier<DelayedQueue> queue;
    private final RedisKeys keys;
    private final Instances instances;
    private final String label;

    /**
     * The whole job.
     *
     * @param queue all of its shards, as they are now
     */
    DelayedJob(
            CoordinationStore store,
            Supplier<DelayedQueue> queue,
            Pod pod,
            Pace pace,
            Meters meters,
            JobDefinition definition,
            Eligibility eligibility) {
        this(
                new Common(store, pod, pace, meters, definition, eligibility),
                pace,
                queue,
                store.keys(),
                store.instances(definition.id()),
                definition.id().name());
    }

    private DelayedJob(
            Common common, Pace pace, Supplier<DelayedQueue> queue, RedisKeys keys, Instances instances, String label) {
        this.common = common;
        this.pace = pace;
        this.queue = queue;
        this.keys = keys;
        this.instances = instances;
        this.label = label;
    }

    /** The same job for what works for one of its shards. */
    DelayedJob ofShard(Shard shard) {
        return new DelayedJob(
                common,
                pace,
                shard::queue,
                common.store.keys().ofShard(shard.number()),
                shard.instances(),
                shard.number() == 0 ? name() : name() + "-" + shard.number());
    }

    CoordinationStore store() {
        return common.store;
    }

    RedisLink link() {
        return common.store.link();
    }

    /** Whether a call made now would be sent. */
    boolean isStoreUsable() {
        return common.store.isUsable();
    }

    DelayedQueue queue() {
        return queue.get();
    }

    /** Those of the shard; of the whole, those of its first shard. */
    Instances instances() {
        return instances;
    }

    /** Names of the shard's keys; of the whole, of its first shard's. */
    RedisKeys keys() {
        return keys;
    }

    Pod pod() {
        return common.pod;
    }

    Pace pace() {
        return common.pace;
    }

    /** Many shards are looked at less often each, when nobody wakes those who look. */
    void spread(int shards) {
        common.pace = pace.spread(shards);
    }

    JobMeters meters() {
        return common.jobMeters;
    }

    JobDefinition definition() {
        return common.definition;
    }

    DelayedWork work() {
        return (DelayedWork) definition().work();
    }

    String name() {
        return definition().id().name();
    }

    /** The name, and the shard's number but for the first. */
    String label() {
        return label;
    }

    void update(JobDefinition newer, Eligibility now) {
        common.definition = newer;
        common.eligibility = now;
    }

    void stopTaking() {
        common.taking = false;
    }

    /** Whether this worker is on its way out. */
    boolean isEnding() {
        return !common.taking;
    }

    /** Whether tasks may be reserved here now. */
    boolean consumes() {
        return common.taking && !definition().suspended() && common.eligibility == Eligibility.ELIGIBLE;
    }

    /** Raised whenever something that was at work has ended. */
    Signal ended() {
        return common.ended;
    }

    void loopFailed(String loop) {
        common.meters.loopFailed(loop);
    }

    /** What the queue may hold, as the definition says now. */
    QueueLimits limits() {
        return QueueLimits.of(definition());
    }
}
