package dev.soloist.operator.job;

import dev.soloist.crds.Labels;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Counts pods that a selector names and that have no sidecar. Asked of the API server now and then: to watch every
/// pod of a cluster for a number in a status would cost more than it tells. Thread-safe.
final class UninjectedPods {

    private static final Duration WHILE_SOME_LACK_ONE = Duration.ofSeconds(15);
    private static final Duration WHILE_ALL_IS_WELL = Duration.ofMinutes(1);

    /// Any version will do: the answer comes from the API server's own cache.
    private static final ListOptions CACHED =
            new ListOptionsBuilder().withResourceVersion("0").build();

    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

    private record Counted(Map<String, String> labels, int count, long atNanos) {}

    private final KubernetesClient client;
    private final LongSupplier nanoTime;
    private final Map<String, Counted> cache = new ConcurrentHashMap<>();

    UninjectedPods(KubernetesClient client, LongSupplier nanoTime) {
        this.client = client;
        this.nanoTime = nanoTime;
    }

    /// @param injected how many pods of the job have a sidecar
    int count(String namespace, String jobUid, Map<String, String> labels, int injected) {
        var known = cache.get(jobUid);
        var now = nanoTime.getAsLong();
        var fresh = injected > 0 && known != null && known.count() == 0 ? WHILE_ALL_IS_WELL : WHILE_SOME_LACK_ONE;
        if (known != null && known.labels().equals(labels) && now - known.atNanos() < fresh.toNanos()) {
            return known.count();
        }
        var count = Math.toIntExact(client
                .pods()
                .inNamespace(namespace)
                .withLabels(labels)
                .withLabelNotIn(Labels.INJECTED, Labels.INJECTED_TRUE)
                .list(CACHED)
                .getItems()
                .stream()
                .filter(UninjectedPods::isLiving)
                .count());
        cache.put(jobUid, new Counted(labels, count, now));
        return count;
    }

    void forget(String jobUid) {
        cache.remove(jobUid);
    }

    private static boolean isLiving(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && (pod.getStatus() == null
                        || !FINISHED.contains(
                                Objects.requireNonNullElse(pod.getStatus().getPhase(), "")));
    }
}
