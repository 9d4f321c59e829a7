package dev.soloist.operator.job;

import dev.soloist.crds.Labels;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.operator.pods.PodReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The pods and policies whose changes concern a job. Both directions are mapped: with one alone, pods that are older
/// than the job are not seen.
final class JobEventSources {

    private JobEventSources() {}

    static List<EventSource<?, DistributedJob>> of(EventSourceContext<DistributedJob> context) {
        return List.of(pods(context), policies(context));
    }

    private static InformerEventSource<Pod, DistributedJob> pods(EventSourceContext<DistributedJob> context) {
        var source = new AtomicReference<@Nullable InformerEventSource<Pod, DistributedJob>>();
        var configuration = InformerEventSourceConfiguration.from(Pod.class, DistributedJob.class)
                .withName("pods")
                .withLabelSelector(Labels.INJECTED + "=" + Labels.INJECTED_TRUE)
                .withOnUpdateFilter((after, before) -> !PodReader.read(after).equals(PodReader.read(before)))
                .withSecondaryToPrimaryMapper(pod -> ids(context.getPrimaryCache()
                        .list(pod.getMetadata().getNamespace(), job -> selects(job, pod))
                        .toList()))
                .withPrimaryToSecondaryMapper((DistributedJob job) -> podsOf(job, source.get()))
                .build();
        source.set(new InformerEventSource<>(configuration, context));
        return Objects.requireNonNull(source.get());
    }

    private static InformerEventSource<LockPolicy, DistributedJob> policies(
            EventSourceContext<DistributedJob> context) {
        var configuration = InformerEventSourceConfiguration.from(LockPolicy.class, DistributedJob.class)
                .withName("policies")
                .withSecondaryToPrimaryMapper(policy -> ids(context.getPrimaryCache()
                        .list(
                                policy.getMetadata().getNamespace(),
                                job -> policyOf(job).contains(ResourceID.fromResource(policy)))
                        .toList()))
                .withPrimaryToSecondaryMapper(JobEventSources::policyOf)
                .build();
        return new InformerEventSource<>(configuration, context);
    }

    private static Set<ResourceID> podsOf(DistributedJob job, @Nullable InformerEventSource<Pod, DistributedJob> pods) {
        return pods == null
                ? Set.of()
                : ids(pods.list(job.getMetadata().getNamespace(), pod -> selects(job, pod))
                        .toList());
    }

    private static Set<ResourceID> policyOf(DistributedJob job) {
        var name = job.getSpec() == null ? null : job.getSpec().lockPolicy();
        return name == null
                ? Set.of()
                : Set.of(new ResourceID(name, job.getMetadata().getNamespace()));
    }

    private static boolean selects(DistributedJob job, Pod pod) {
        var selector = job.getSpec() == null ? null : job.getSpec().selector();
        var labels = selector == null ? null : selector.matchLabels();
        var own = pod.getMetadata().getLabels() == null
                ? Map.<String, String>of()
                : pod.getMetadata().getLabels();
        return labels != null && !labels.isEmpty() && own.entrySet().containsAll(labels.entrySet());
    }

    private static Set<ResourceID> ids(List<? extends HasMetadata> resources) {
        return resources.stream().map(ResourceID::fromResource).collect(Collectors.toSet());
    }
}
