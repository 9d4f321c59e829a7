package dev.soloist.e2e.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * What Prometheus' Kubernetes discovery says of an API server, written to files that any Prometheus reads: the distribution's is built
 * without that discovery. As there, every port of every container <em>and init container</em> of a pod that has an address is a target.
 */
final class Discovery {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final KubernetesClient client;
    private final Path folder;

    Discovery(KubernetesClient client, Path folder) {
        this.client = client;
        this.folder = folder;
    }

    /** The file of a role, {@code pod} or {@code endpoints}. */
    Path file(String role) {
        return folder.resolve(role + ".json");
    }

    /** Reads the API server and writes the files anew. */
    void refresh() throws IOException {
        var pods = MAPPER.createArrayNode();
        client.pods().inAnyNamespace().list().getItems().forEach(pod -> add(pods, pod));
        write("pod", pods);
        var endpoints = MAPPER.createArrayNode();
        client.endpoints().inAnyNamespace().list().getItems().forEach(of -> add(endpoints, of));
        write("endpoints", endpoints);
    }

    private static void add(ArrayNode targets, Pod pod) {
        if (pod.getStatus().getPodIP() == null) {
            return;
        }
        pod.getSpec().getContainers().forEach(container -> add(targets, pod, container, false));
        pod.getSpec().getInitContainers().forEach(container -> add(targets, pod, container, true));
    }

    private static void add(ArrayNode targets, Pod pod, Container container, boolean init) {
        for (var port : container.getPorts()) {
            var labels = target(targets, pod.getStatus().getPodIP(), port.getContainerPort());
            labels.put("__meta_kubernetes_namespace", pod.getMetadata().getNamespace());
            labels.put("__meta_kubernetes_pod_name", pod.getMetadata().getName());
            labels.put("__meta_kubernetes_pod_phase", pod.getStatus().getPhase());
            labels.put("__meta_kubernetes_pod_container_name", container.getName());
            labels.put("__meta_kubernetes_pod_container_port_name", port.getName());
            labels.put("__meta_kubernetes_pod_container_init", String.valueOf(init));
            meta(labels, "pod", pod.getMetadata().getLabels());
        }
    }

    /** Addresses are this machine's, whatever the object says: the API server takes no loopback address here. */
    private void add(ArrayNode targets, Endpoints endpoints) {
        var metadata = endpoints.getMetadata();
        var service = client.services()
                .inNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .get();
        if (service == null) {
            return;
        }
        for (var subset : endpoints.getSubsets()) {
            for (var port : subset.getPorts()) {
                var labels = target(targets, "127.0.0.1", port.getPort());
                labels.put("__meta_kubernetes_namespace", metadata.getNamespace());
                labels.put("__meta_kubernetes_service_name", metadata.getName());
                labels.put("__meta_kubernetes_endpoint_port_name", port.getName());
                meta(labels, "service", service.getMetadata().getLabels());
            }
        }
    }

    private static ObjectNode target(ArrayNode targets, String address, int port) {
        var target = targets.addObject();
        target.putArray("targets").add(address + ":" + port);
        return target.putObject("labels");
    }

    private static void meta(ObjectNode labels, String object, Map<String, String> of) {
        of.forEach((name, value) -> {
            var sanitized = name.replaceAll("[^a-zA-Z0-9_]", "_");
            labels.put("__meta_kubernetes_" + object + "_label_" + sanitized, value);
            labels.put("__meta_kubernetes_" + object + "_labelpresent_" + sanitized, "true");
        });
    }

    /** Whole or not at all: Prometheus may read at any time. */
    private void write(String role, ArrayNode targets) throws IOException {
        var written = Files.writeString(folder.resolve(role + ".new"), targets.toString());
        Files.move(written, file(role), StandardCopyOption.ATOMIC_MOVE);
    }
}
