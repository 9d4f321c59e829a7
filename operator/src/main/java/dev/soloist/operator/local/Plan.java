package dev.soloist.operator.local;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.key.JobId;
import dev.soloist.crds.InvalidSpec;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.policy.EffectivePolicy;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.operator.core.Definitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The jobs of some manifests as the operator would publish them, all in one namespace.
record Plan(String namespace, List<JobDefinition> jobs) {

    /// Checks and completes the manifests as the API server and the operator do.
    ///
    /// @throws IOException with the sentence that a user of a cluster would read
    static Plan of(Manifests manifests) throws IOException {
        var jobs = new ArrayList<JobDefinition>();
        for (var job : manifests.jobs()) {
            jobs.add(definition(job, manifests.policies()));
        }
        var namespaces =
                jobs.stream().map(job -> job.id().namespace()).distinct().toList();
        if (namespaces.size() != 1) {
            throw new IOException("the manifests must hold jobs of one namespace, and hold those of " + namespaces);
        }
        return new Plan(namespaces.getFirst(), jobs);
    }

    /// The first job on a schedule, which the script watches.
    JobDefinition singleton() throws IOException {
        return jobs.stream()
                .filter(job -> job.work() instanceof SingletonWork)
                .findFirst()
                .orElseThrow(() -> new IOException("the manifests hold no job on a schedule"));
    }

    /// The first job of tasks; null if there is none.
    @Nullable
    JobDefinition queue() {
        return jobs.stream()
                .filter(job -> job.work() instanceof DelayedWork)
                .findFirst()
                .orElse(null);
    }

    private static JobDefinition definition(DistributedJob job, List<LockPolicy> policies) throws IOException {
        var name = job.getMetadata().getNamespace() + "/" + job.getMetadata().getName();
        try {
            var effective = EffectiveJob.of(job);
            var id = new JobId(
                    String.valueOf(job.getMetadata().getNamespace()),
                    job.getMetadata().getName());
            var identity = new Definitions.Identity(id, UUID.randomUUID().toString(), 1);
            return Definitions.of(identity, 0, effective, policy(effective.lockPolicy(), id.namespace(), policies));
        } catch (InvalidSpec | IllegalArgumentException e) {
            throw new IOException("DistributedJob " + name + ": " + e.getMessage(), e);
        }
    }

    private static EffectivePolicy policy(@Nullable String name, String namespace, List<LockPolicy> policies)
            throws InvalidSpec, IOException {
        if (name == null) {
            return EffectivePolicy.BUILT_IN;
        }
        for (var policy : policies) {
            if (name.equals(policy.getMetadata().getName())
                    && namespace.equals(policy.getMetadata().getNamespace())) {
                return EffectivePolicy.of(policy);
            }
        }
        throw new IOException("the LockPolicy " + name + " is not in the manifests");
    }
}
