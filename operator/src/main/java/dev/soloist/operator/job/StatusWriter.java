package dev.soloist.operator.job;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.DistributedJobStatus;
import dev.soloist.operator.conditions.Conditions;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Writes a job's status when it changed: at once if a condition, the term or an answer did, else at most every ten
/// seconds. Each write names the version it is based on, so that a term is never overwritten by one who had not read
/// it. Thread-safe.
final class StatusWriter {

    static final Duration AT_MOST_EVERY = Duration.ofSeconds(10);

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("soloist-operator")
            .withForce(true)
            .build();

    /// What became of a status.
    enum Written {
        WRITTEN,
        UNCHANGED,
        /// It changed, but too soon after the last write.
        LATER,
        /// Somebody else changed the object meanwhile: make another pass.
        CONFLICT,
        /// The object is no more.
        GONE
    }

    private final KubernetesClient client;
    private final LongSupplier nanoTime;
    private final Map<String, Long> lastWrites = new ConcurrentHashMap<>();

    StatusWriter(KubernetesClient client, LongSupplier nanoTime) {
        this.client = client;
        this.nanoTime = nanoTime;
    }

    Written write(DistributedJob job, DistributedJobStatus status) {
        var before = job.getStatus();
        if (text(status).equals(text(before))) {
            return Written.UNCHANGED;
        }
        var uid = job.getMetadata().getUid();
        var last = lastWrites.get(uid);
        var now = nanoTime.getAsLong();
        if (last != null && now - last < AT_MOST_EVERY.toNanos() && !isUrgent(before, status)) {
            return Written.LATER;
        }
        try {
            apply(job, status);
            lastWrites.put(uid, now);
            return Written.WRITTEN;
        } catch (KubernetesClientException refused) {
            return switch (refused.getCode()) {
                case HttpURLConnection.HTTP_CONFLICT -> Written.CONFLICT;
                case HttpURLConnection.HTTP_NOT_FOUND -> Written.GONE;
                default -> throw refused;
            };
        }
    }

    void forget(String uid) {
        lastWrites.remove(uid);
    }

    private void apply(DistributedJob job, DistributedJobStatus status) {
        var fresh = new DistributedJob();
        fresh.setMetadata(new ObjectMetaBuilder()
                .withNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .withResourceVersion(job.getMetadata().getResourceVersion())
                .build());
        fresh.setStatus(status);
        client.resource(fresh).subresource("status").patch(APPLY);
    }

    static boolean isUrgent(@Nullable DistributedJobStatus before, DistributedJobStatus after) {
        return before == null
                || !Objects.equals(before.getObservedGeneration(), after.getObservedGeneration())
                || !Objects.equals(before.getTerm(), after.getTerm())
                || !Objects.equals(before.getSeeded(), after.getSeeded())
                || !Objects.equals(before.getRunNow(), after.getRunNow())
                || !Objects.equals(before.getForceUnlock(), after.getForceUnlock())
                || !Conditions.sameStates(before.getConditions(), after.getConditions());
    }

    private static String text(@Nullable DistributedJobStatus status) {
        return status == null ? "" : Serialization.asJson(status);
    }
}
