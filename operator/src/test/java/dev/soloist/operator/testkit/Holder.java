package dev.soloist.operator.testkit;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Finishing;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonStore;
import dev.soloist.operator.core.Store;
import java.time.Duration;
import java.time.Instant;

/** What a sidecar does with a lease, step by step. */
public final class Holder {

    private final SingletonStore singletons;
    private final JobId job;
    private final InstanceId instance;
    private final Nonce nonce = Nonce.create();
    private final Grant grant;

    private Holder(Store store, SingletonStore singletons, JobId job, InstanceId instance, String pod, Duration ttl) {
        this.singletons = singletons;
        this.job = job;
        this.instance = instance;
        singletons.triggerNow(job, true);
        var term = singletons.snapshot(job).term();
        var request = new ClaimRequest(
                term, instance, pod, nonce, ttl, store.link().now().plusSeconds(10));
        if (!(singletons.claim(job, request) instanceof Claim.Claimed(var granted))) {
            throw new AssertionError("not granted: " + singletons.snapshot(job));
        }
        this.grant = granted;
    }

    /** Makes the job due and takes its lease. */
    public static Holder take(Store store, JobId job, String podUid, String pod, Duration ttl) {
        return take(store, Backend.STRING, job, podUid, pod, ttl);
    }

    /** As {@link #take(Store, JobId, String, String, Duration)}, of a job whose lease is kept in the given way. */
    public static Holder take(Store store, Backend backend, JobId job, String podUid, String pod, Duration ttl) {
        return new Holder(store, store.singletons(backend), job, InstanceId.create(podUid), pod, ttl);
    }

    public Grant grant() {
        return grant;
    }

    public Renewal renew(Duration ttl) {
        return singletons.renew(job, instance, nonce, ttl);
    }

    public Finishing finish(RunResult result, Instant nextDue, ReleasePolicy release) {
        return singletons.finish(
                job,
                instance,
                nonce,
                grant.fence(),
                new FinishRequest(result, "", nextDue, false, release, Duration.ZERO));
    }

    /** As a sidecar does whose job has an event log of that many events. */
    public Finishing finish(FinishRequest request, int events) {
        return singletons.logging(events).finish(job, instance, nonce, grant.fence(), request);
    }
}
