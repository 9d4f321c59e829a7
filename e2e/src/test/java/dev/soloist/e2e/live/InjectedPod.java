package dev.soloist.e2e.live;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A pod as the injector writes it (from the injector's own test data), with the status that a kubelet would write. */
final class InjectedPod {

    /** Whether the sidecar is an init container that stays, or stands among the ordinary ones. */
    enum Placement {
        NATIVE("out-plain.yaml"),
        ORDINARY("out-ordinary.yaml");

        private final String file;

        Placement(String file) {
            this.file = file;
        }
    }

    private static final String SIDECAR = "soloist-sidecar";

    private final KubernetesClient client;
    private final Placement placement;
    private final Pod pod;

    /** Makes the pod, with this port for the sidecar's metrics, and reports it as running on this machine. */
    InjectedPod(KubernetesClient client, Placement placement, String namespace, String name, int metricsPort) {
        this.client = client;
        this.placement = placement;
        this.pod = client.resource(manifest(placement, namespace, name, metricsPort))
                .create();
        reportRunning("True");
    }

    /** The pod as the injector's test data has it. */
    static Pod asInjected(Placement placement) {
        try {
            return Serialization.unmarshal(
                    Files.readString(Path.of("../operator/src/test/resources/injection", placement.file)), Pod.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The sidecar's container. */
    static Container sidecar(Pod pod) {
        var spec = pod.getSpec();
        return List.of(spec.getInitContainers(), spec.getContainers()).stream()
                .flatMap(List::stream)
                .filter(container -> container.getName().equals(SIDECAR))
                .findFirst()
                .orElseThrow();
    }

    Pod pod() {
        return pod;
    }

    String uid() {
        return pod.getMetadata().getUid();
    }

    String name() {
        return pod.getMetadata().getName();
    }

    String namespace() {
        return pod.getMetadata().getNamespace();
    }

    /** What a kubelet writes while all containers run. */
    void reportRunning(String ready) {
        report("Running", ready, running("app"), running(SIDECAR));
    }

    /** What a kubelet writes when all containers of the pod have ended. */
    void reportTerminated() {
        report("Failed", "False", terminated("app"), terminated(SIDECAR));
    }

    private void report(String phase, String ready, ContainerStatus app, ContainerStatus sidecar) {
        boolean isNative = placement == Placement.NATIVE;
        client.pods()
                .resource(new PodBuilder(pod)
                        .editMetadata()
                        .withResourceVersion(null)
                        .withManagedFields(List.of())
                        .endMetadata()
                        .withNewStatus()
                        .withPhase(phase)
                        .withPodIP("127.0.0.1")
                        .addNewPodIP("127.0.0.1")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus(ready)
                        .endCondition()
                        .withContainerStatuses(isNative ? List.of(app) : List.of(app, sidecar))
                        .withInitContainerStatuses(isNative ? List.of(sidecar) : List.of())
                        .endStatus()
                        .build())
                .patchStatus();
    }

    private static Pod manifest(Placement placement, String namespace, String name, int metricsPort) {
        var injected = asInjected(placement);
        var sidecar = new ContainerBuilder(sidecar(injected))
                .editFirstPort()
                .withContainerPort(metricsPort)
                .endPort()
                .build();
        var spec = injected.getSpec();
        spec.getInitContainers().replaceAll(container -> container.getName().equals(SIDECAR) ? sidecar : container);
        spec.getContainers().replaceAll(container -> container.getName().equals(SIDECAR) ? sidecar : container);
        return new PodBuilder(injected)
                .editMetadata()
                .withGenerateName(null)
                .withName(name)
                .withNamespace(namespace)
                .addToLabels(Map.of("app", "shop", "role", name))
                .endMetadata()
                .build();
    }

    private static ContainerStatus running(String name) {
        return new ContainerStatusBuilder()
                .withName(name)
                .withImage("image")
                .withImageID("image")
                .withContainerID("process://" + name)
                .withReady(true)
                .withStarted(true)
                .withRestartCount(0)
                .withNewState()
                .withNewRunning()
                .withStartedAt(Instant.now().toString())
                .endRunning()
                .endState()
                .build();
    }

    private static ContainerStatus terminated(String name) {
        return new ContainerStatusBuilder(running(name))
                .withReady(false)
                .withStarted(false)
                .withNewState()
                .withNewTerminated()
                .withContainerID("process://" + name)
                .withExitCode(137)
                .withReason("Error")
                .withStartedAt(Instant.now().toString())
                .withFinishedAt(Instant.now().toString())
                .endTerminated()
                .endState()
                .build();
    }
}
