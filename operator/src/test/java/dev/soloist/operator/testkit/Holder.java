package dev.soloist.operator.testkit;

import static org.awaitility.Awaitility.await;

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
import java.util.Optional;

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
        this.grant = await("the lease of " + job)
                .atMost(Duration.ofSeconds(60))
                .until(() -> claim(store, pod, ttl), Optional::isPresent)
                .orElseThrow();
    }

    /** Again and again, as a sidecar does: an operator may be about to seed the job under another term. */
    private Optional<Grant> claim(Store store, String pod, Duration ttl) {
        singletons.triggerNow(job, true);
        var term = singletons.snapshot(job).term();
        var request = new ClaimRequest(
                term, instance, pod, nonce, ttl, store.link().now().plusSeconds(60));
        return singletons.claim(job, request) instanceof Claim.Claimed(var granted)
                ? Optional.of(granted)
                : Optional.empty();
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
