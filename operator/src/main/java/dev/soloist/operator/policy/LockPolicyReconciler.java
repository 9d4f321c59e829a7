package dev.soloist.operator.policy;

import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.crds.policy.LockPolicyStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes the status of each LockPolicy, when it changes.
@ControllerConfiguration(
        name = "lockpolicy",
        maxReconciliationInterval = @MaxReconciliationInterval(interval = 10, timeUnit = TimeUnit.MINUTES))
@GradualRetry(maxAttempts = -1, initialInterval = 1000, intervalMultiplier = 2, maxInterval = 60_000)
public final class LockPolicyReconciler implements Reconciler<LockPolicy> {

    private final InstantSource clock;

    public LockPolicyReconciler(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public List<EventSource<?, LockPolicy>> prepareEventSources(EventSourceContext<LockPolicy> context) {
        var source = new AtomicReference<@Nullable InformerEventSource<DistributedJob, LockPolicy>>();
        var configuration = InformerEventSourceConfiguration.from(DistributedJob.class, LockPolicy.class)
                .withName("jobs")
                .withSecondaryToPrimaryMapper(LockPolicyReconciler::policyOf)
                .withPrimaryToSecondaryMapper((LockPolicy policy) -> usersOf(policy, source.get()))
                .build();
        source.set(new InformerEventSource<>(configuration, context));
        return List.of(Objects.requireNonNull(source.get()));
    }

    @Override
    public UpdateControl<LockPolicy> reconcile(LockPolicy policy, Context<LockPolicy> context) {
        var users = context.getSecondaryResources(DistributedJob.class).size();
        var status = PolicyStatus.of(policy, users, clock.instant());
        if (text(status).equals(text(policy.getStatus()))) {
            return UpdateControl.noUpdate();
        }
        var fresh = new LockPolicy();
        fresh.setMetadata(new ObjectMetaBuilder()
                .withNamespace(policy.getMetadata().getNamespace())
                .withName(policy.getMetadata().getName())
                .build());
        fresh.setStatus(status);
        return UpdateControl.patchStatus(fresh);
    }

    private static String text(@Nullable LockPolicyStatus status) {
        return status == null ? "" : Serialization.asJson(status);
    }

    private static Set<ResourceID> policyOf(DistributedJob job) {
        var name = job.getSpec() == null ? null : job.getSpec().lockPolicy();
        return name == null
                ? Set.of()
                : Set.of(new ResourceID(name, job.getMetadata().getNamespace()));
    }

    private static Set<ResourceID> usersOf(
            LockPolicy policy, @Nullable InformerEventSource<DistributedJob, LockPolicy> jobs) {
        if (jobs == null) {
            return Set.of();
        }
        var own = ResourceID.fromResource(policy);
        return jobs.list(
                        policy.getMetadata().getNamespace(),
                        job -> policyOf(job).contains(own))
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }
}
