package dev.soloist.operator.testkit;

import dev.soloist.operator.injection.InjectedPod;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;

/** Injected pods, and the statuses that a kubelet would write. There is none here: what a test says is what is known. */
public final class Pods {

    private Pods() {}

    /** A ready pod with a sidecar, on a node, with the label `app: APP`. */
    public static Pod ready(String namespace, String app, String name) {
        var pod = create(namespace, app, name, "true");
        report(pod, "Running", "True", running(InjectedPod.SIDECAR), running("app"));
        return pod;
    }

    public static Pod withoutSidecar(String namespace, String app, String name) {
        return create(namespace, app, name, "");
    }

    private static Pod create(String namespace, String app, String name, String injected) {
        var builder = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", app)
                .endMetadata()
                .withNewSpec()
                // A pod without a node is deleted at once; one on a node waits for its kubelet.
                .withNodeName("nowhere")
                .addNewContainer()
                .withName("app")
                .withImage("app:1")
                .endContainer()
                .endSpec();
        if (!injected.isEmpty()) {
            builder.editMetadata()
                    .addToLabels("soloist.dev/injected", injected)
                    .endMetadata()
                    .editSpec()
                    .addNewInitContainer()
                    .withName(InjectedPod.SIDECAR)
                    .withImage("sidecar:1")
                    .withRestartPolicy("Always")
                    .endInitContainer()
                    .endSpec();
        }
        return ApiServer.admin().resource(builder.build()).create();
    }

    public static void notReady(Pod pod) {
        report(pod, "Running", "False", running(InjectedPod.SIDECAR), running("app"));
    }

    public static void allTerminated(Pod pod) {
        report(pod, "Running", "False", terminated(InjectedPod.SIDECAR), terminated("app"));
    }

    public static void sidecarTerminated(Pod pod) {
        report(pod, "Running", "False", terminated(InjectedPod.SIDECAR), running("app"));
    }

    /** Asks for deletion; without a kubelet the pod then waits for ever. */
    public static void delete(Pod pod) {
        handle(pod).withGracePeriod(30).delete();
    }

    public static void forceDelete(Pod pod) {
        handle(pod).withGracePeriod(0).delete();
    }

    private static void report(Pod pod, String phase, String ready, ContainerStatus sidecar, ContainerStatus app) {
        handle(pod)
                .editStatus(current -> new PodBuilder(current)
                        .withStatus(new PodStatusBuilder()
                                .withPhase(phase)
                                .addNewCondition()
                                .withType("Ready")
                                .withStatus(ready)
                                .endCondition()
                                .withInitContainerStatuses(sidecar)
                                .withContainerStatuses(app)
                                .build())
                        .build());
    }

    private static PodResource handle(Pod pod) {
        return ApiServer.admin()
                .pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName());
    }

    private static ContainerStatus running(String name) {
        return status(name)
                .withState(new ContainerStateBuilder()
                        .withNewRunning()
                        .endRunning()
                        .build())
                .build();
    }

    private static ContainerStatus terminated(String name) {
        return status(name)
                .withState(new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(137)
                        .withReason("Error")
                        .endTerminated()
                        .build())
                .build();
    }

    private static ContainerStatusBuilder status(String name) {
        return new ContainerStatusBuilder()
                .withName(name)
                .withImage("x")
                .withImageID("x")
                .withReady(false)
                .withRestartCount(0);
    }
}
