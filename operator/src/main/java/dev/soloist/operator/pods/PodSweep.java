package dev.soloist.operator.pods;

import dev.soloist.coordination.loop.Turn;
import dev.soloist.crds.Labels;
import dev.soloist.operator.core.LiveJobs;
import dev.soloist.operator.core.PodBoard;
import dev.soloist.operator.core.Store;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Finds what events did not tell: pods that ended while nobody led, a board that Redis has lost. Compares the board
/// with pods as the API server has them now, never with a cache that may lag. One [#runOnce()] at a time.
public final class PodSweep {

    private static final Duration EVERY = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final Store store;
    private final LiveJobs jobs;
    private final PodBoard board;
    private final PodReclaim reclaim;
    private final BooleanSupplier leading;
    private final Set<String> known = new HashSet<>();

    public PodSweep(
            KubernetesClient client,
            Store store,
            LiveJobs jobs,
            PodBoard board,
            PodReclaim reclaim,
            BooleanSupplier leading) {
        this.client = client;
        this.store = store;
        this.jobs = jobs;
        this.board = board;
        this.reclaim = reclaim;
        this.leading = leading;
    }

    /// One pass over all namespaces that have jobs, or had one at the last pass. What fails for one namespace or pod
    /// fails
    /// the turn only after all others had theirs.
    public Duration runOnce() {
        if (leading.getAsBoolean() && store.isUsable()) {
            var present = jobs.namespaces();
            known.addAll(present);
            Turn.over(known, this::sweep);
            // The pods of a namespace whose last job went have been told so just now.
            known.retainAll(present);
        }
        return EVERY;
    }

    private void sweep(String namespace) {
        var pods = client.pods()
                .inNamespace(namespace)
                .withLabel(Labels.INJECTED, Labels.INJECTED_TRUE)
                .list()
                .getItems();
        Turn.over(pods, pod -> {
            var facts = PodReader.read(pod);
            reclaim.fromEnded(pod, facts);
            board.write(facts);
        });
        store.registrations().assignments(namespace).forEach((uid, assignment) -> {
            var listed =
                    pods.stream().anyMatch(pod -> pod.getMetadata().getUid().equals(uid));
            if (!listed && isGone(namespace, assignment.podName(), uid)) {
                // Gone is not dead: it may still run on a node that nobody hears from, and keeps what it can renew.
                board.remove(namespace, uid);
            }
        });
    }

    /// A pod of the same name with another UID is another pod.
    private boolean isGone(String namespace, String name, String uid) {
        Pod found = client.pods().inNamespace(namespace).withName(name).get();
        return found == null || !Objects.equals(found.getMetadata().getUid(), uid);
    }
}
