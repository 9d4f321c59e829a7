package dev.soloist.operator.injection;

import dev.soloist.crds.Annotations;
import dev.soloist.operator.injection.SidecarOptions.Placement;
import java.util.ArrayList;
import java.util.List;

/// What to do with one pod. Pure: the same pod and settings give the same answer, on every replica.
sealed interface InjectionDecision {

    /// Add whatever is missing. For a pod that has its sidecar already (a second call of the webhook, a pod
    /// made from a stored one) that is often nothing.
    record Inject(SidecarOptions options, List<String> warnings) implements InjectionDecision {}

    record Skip(SkipReason reason) implements InjectionDecision {}

    /// The pod cannot work as asked; its owner must change something.
    record Refuse(List<String> sentences) implements InjectionDecision {}

    static InjectionDecision of(PodView pod, InjectionSettings settings) {
        if (!"true".equals(pod.annotations().get(Annotations.INJECT))) {
            return new Skip(SkipReason.NOT_ASKED);
        }
        if (pod.isMirror()) {
            return new Skip(SkipReason.MIRROR_POD);
        }
        if (pod.isForWindows()) {
            return new Skip(SkipReason.WINDOWS);
        }
        var annotations = new AnnotationReader(pod.annotations());
        var options = SidecarOptions.read(annotations, settings);
        var sentences = new ArrayList<>(annotations.mistakes());
        sentences.addAll(conflicts(pod, annotations, options));
        return sentences.isEmpty() ? new Inject(options, annotations.warnings()) : new Refuse(sentences);
    }

    private static List<String> conflicts(PodView pod, AnnotationReader annotations, SidecarOptions options) {
        var conflicts = new ArrayList<String>();
        if (options.apiPort() == options.metricsPort()) {
            conflicts.add("annotations " + Annotations.API_PORT + " and " + Annotations.METRICS_PORT
                    + " must name two different ports");
        }
        if (pod.onHostNetwork()
                && !(annotations.names(Annotations.API_PORT) && annotations.names(Annotations.METRICS_PORT))) {
            conflicts.add(
                    "the pod uses hostNetwork, where two pods of a node would fight for the sidecar's ports: set annotations "
                            + Annotations.API_PORT + " and " + Annotations.METRICS_PORT
                            + " to ports that are free on its nodes");
        }
        if (pod.belongsToJob() && options.placement() == Placement.ORDINARY) {
            conflicts.add(
                    "annotation " + Annotations.NATIVE_SIDECAR
                            + " is \"false\", but an ordinary sidecar container would keep a Job's pod running for ever: remove it");
        }
        conflicts.addAll(takenPorts(pod, options));
        conflicts.addAll(PodVolumes.conflicts(pod));
        return conflicts;
    }

    private static List<String> takenPorts(PodView pod, SidecarOptions options) {
        var taken = new ArrayList<String>();
        for (var place : pod.appContainers()) {
            PodView.elements(place.container().path("ports")).forEach(port -> {
                var number = port.path("containerPort").asInt();
                if (number == options.apiPort() || number == options.metricsPort()) {
                    var key = number == options.apiPort() ? Annotations.API_PORT : Annotations.METRICS_PORT;
                    taken.add("container " + place.name() + " uses port " + number
                            + ", which the sidecar needs: set annotation " + key + " to another port");
                }
            });
        }
        return taken;
    }
}
