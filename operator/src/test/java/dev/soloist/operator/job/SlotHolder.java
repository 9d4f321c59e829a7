package dev.soloist.operator.job;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.operator.core.Store;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One pod that competes for one slot, and runs it for no time at all. */
final class SlotHolder {

    private final Store store;
    private final JobId job;
    private final InstanceId instance;
    private final Nonce nonce = Nonce.create();
    private @Nullable Grant grant;

    SlotHolder(Store store, JobId job, String podUid) {
        this.store = store;
        this.job = job;
        this.instance = InstanceId.create(podUid);
    }

    boolean claims() {
        var term = store.singletons().snapshot(job).term();
        var request = new ClaimRequest(
                term,
                instance,
                "pod",
                nonce,
                Duration.ofMinutes(5),
                store.link().now().plusSeconds(60));
        if (store.singletons().claim(job, request) instanceof Claim.Claimed(var granted)) {
            grant = granted;
        }
        return holds();
    }

    boolean holds() {
        return grant != null;
    }

    /** Ends the run, and answers which slot it was. */
    String finish() {
        var held = grant;
        if (held == null) {
            throw new AssertionError("holds nothing");
        }
        store.singletons()
                .finish(
                        job,
                        instance,
                        nonce,
                        held.fence(),
                        new FinishRequest(
                                RunResult.SUCCEEDED,
                                "",
                                held.scheduledAt().plusSeconds(1),
                                false,
                                ReleasePolicy.ON_COMPLETION,
                                Duration.ZERO));
        return held.scheduledAt().toString();
    }
}
