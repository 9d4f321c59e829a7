package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.Releasing;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.sidecar.metrics.JobMeters;
import java.util.concurrent.atomic.AtomicInteger;

/** The calls that one granted lease allows, with everything that identifies it. Thread-safe; each call may throw as the store does. */
record LeaseScripts(
        SingletonStore store,
        JobDefinition job,
        InstanceId instance,
        Nonce nonce,
        Grant grant,
        JobMeters meters,
        AtomicInteger renewTimers) {

    LeasePolicy policy() {
        return job.policy();
    }

    Acknowledged<Renewal> renew() {
        return store.renew(job.id(), instance, nonce, policy().ttl(), policy().durability());
    }

    Finishing finish(FinishRequest request) {
        return store.finish(job.id(), instance, nonce, grant.fence(), request);
    }

    Releasing release() {
        return store.release(job.id(), instance, nonce);
    }

    Releasing interrupt() {
        return store.interrupt(job.id(), instance, nonce);
    }

    /** Names the run for the app: job, slot and fence. */
    String runId() {
        return job.id().name() + "/" + grant.generation() + "/" + grant.fence();
    }
}
