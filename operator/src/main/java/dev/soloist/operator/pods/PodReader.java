package dev.soloist.operator.pods;

import dev.soloist.operator.core.PodFacts;
import dev.soloist.operator.core.PodFacts.ContainerState;
import dev.soloist.operator.core.PodFacts.Participation;
import dev.soloist.operator.core.PodFacts.Stage;
import dev.soloist.operator.injection.InjectedPod;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the facts about a pod from its object. Pure.
public final class PodReader {

    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

    private PodReader() {}

    public static PodFacts read(Pod pod) {
        var meta = pod.getMetadata();
        var stage = meta.getDeletionTimestamp() != null || FINISHED.contains(phase(pod)) ? Stage.ENDING : Stage.LIVE;
        return new PodFacts(
                meta.getNamespace(),
                meta.getUid(),
                meta.getName(),
                meta.getLabels() == null ? Map.of() : meta.getLabels(),
                stage == Stage.LIVE && isReady(pod) && hasSidecar(pod) ? Participation.READY : Participation.NOT_READY,
                stage,
                stateOf(InjectedPod.SIDECAR, pod),
                pod.getSpec().getContainers().stream()
                        .map(container -> container.getName())
                        .filter(name -> !name.equals(InjectedPod.SIDECAR))
                        .map(name -> stateOf(name, pod))
                        .toList());
    }

    /// The label alone is not enough: anybody may write it.
    private static boolean hasSidecar(Pod pod) {
        return Stream.concat(pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                .anyMatch(container -> container.getName().equals(InjectedPod.SIDECAR));
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getPhase() == null
                ? ""
                : pod.getStatus().getPhase();
    }

    private static ContainerState stateOf(String name, Pod pod) {
        if (pod.getStatus() == null) {
            return ContainerState.UNKNOWN;
        }
        return Stream.concat(
                        orEmpty(pod.getStatus().getInitContainerStatuses()).stream(),
                        orEmpty(pod.getStatus().getContainerStatuses()).stream())
                .filter(status -> status.getName().equals(name))
                .map(PodReader::state)
                .findFirst()
                .orElse(ContainerState.UNKNOWN);
    }

    private static ContainerState state(ContainerStatus status) {
        if (status.getState() == null) {
            return ContainerState.UNKNOWN;
        }
        if (status.getState().getTerminated() != null) {
            return ContainerState.TERMINATED;
        }
        return status.getState().getRunning() != null ? ContainerState.RUNNING : ContainerState.UNKNOWN;
    }

    private static List<ContainerStatus> orEmpty(@Nullable List<ContainerStatus> statuses) {
        return statuses == null ? List.of() : statuses;
    }
}
