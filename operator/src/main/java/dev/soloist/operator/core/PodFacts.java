package dev.soloist.operator.core;

import java.util.List;
import java.util.Map;

/// What is known of one pod, from whatever runs it.
///
/// @param uid of this very pod; a pod made again under the same name has another
/// @param participation whether it may begin work
/// @param stage whether its containers can still be started again
/// @param sidecar the container of the sidecar
/// @param apps all other containers
public record PodFacts(
        String namespace,
        String uid,
        String name,
        Map<String, String> labels,
        Participation participation,
        Stage stage,
        ContainerState sidecar,
        List<ContainerState> apps) {

    public PodFacts {
        labels = Map.copyOf(labels);
        apps = List.copyOf(apps);
    }

    /// Whether a pod may begin work.
    public enum Participation {
        /// It has a sidecar and is ready.
        READY,
        /// It has a sidecar and is not ready, or is ending.
        NOT_READY
    }

    /// Where a pod is in its life.
    public enum Stage {
        /// A container that ends is started again.
        LIVE,
        /// The pod is being deleted or has finished: what ends stays ended.
        ENDING
    }

    /// What the one who runs the container says of it.
    public enum ContainerState {
        RUNNING,
        /// It was seen to have terminated and does not run again.
        TERMINATED,
        /// Not started yet, between two starts, or simply not known.
        UNKNOWN
    }

    /// Whether the pod carries all of these labels.
    public boolean matches(Map<String, String> wanted) {
        return labels.entrySet().containsAll(wanted.entrySet());
    }
}
