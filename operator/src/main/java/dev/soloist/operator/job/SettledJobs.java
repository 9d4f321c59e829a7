package dev.soloist.operator.job;

import dev.soloist.coordination.key.JobId;
import dev.soloist.crds.ConditionTypes;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.operator.conditions.Conditions;
import dev.soloist.operator.core.JobSeeding;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.core.Store;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Predicate;

/// Whether all jobs of a namespace are in force on the very server that the operator is connected to, by what the API
/// server has now. Delayed jobs have no terms, jobs that cannot be in force anywhere do not count, and one that never
/// was has no fences yet that could fall: the sidecars of a new namespace do not wait for it.
public final class SettledJobs implements Predicate<String> {

    private final KubernetesClient client;
    private final JobSeeding seeding;

    public SettledJobs(KubernetesClient client, Store store) {
        this.client = client;
        this.seeding = new JobSeeding(store);
    }

    @Override
    public boolean test(String namespace) {
        return client.resources(DistributedJob.class).inNamespace(namespace).list().getItems().stream()
                .filter(job -> job.getSpec() != null && job.getSpec().singleton() != null)
                .filter(job -> job.getMetadata().getDeletionTimestamp() == null)
                .filter(job -> !isStalled(job))
                .allMatch(job -> isNew(job) || isSettledHere(job));
    }

    private boolean isSettledHere(DistributedJob job) {
        var id = new JobId(job.getMetadata().getNamespace(), job.getMetadata().getName());
        return seeding.isSettledHere(id, Pass.memoryOf(job));
    }

    private static boolean isNew(DistributedJob job) {
        return Pass.memoryOf(job).equals(Memory.NONE);
    }

    private static boolean isStalled(DistributedJob job) {
        return job.getStatus() != null
                && Conditions.find(job.getStatus().getConditions(), ConditionTypes.STALLED)
                        .isPresent();
    }
}
