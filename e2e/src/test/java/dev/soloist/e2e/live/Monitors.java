package dev.soloist.e2e.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the Prometheus Operator makes of our monitors: scrape configurations with the same relabelling, as far as our monitors use it,
 * over the targets of {@link Discovery}.
 */
final class Monitors {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private final Discovery discovery;

    Monitors(Discovery discovery) {
        this.discovery = discovery;
    }

    static JsonNode read(String file) throws IOException {
        return YAML.readTree(Files.readString(Path.of("../config/prometheus", file)));
    }

    /** Of a PodMonitor: all pods with the label, all their containers and init containers with the port. */
    ObjectNode ofPods(JsonNode monitor) {
        var endpoint = monitor.path("spec").path("podMetricsEndpoints").get(0);
        var scrape = scrape(monitor, endpoint, "podMonitor", "pod");
        var rules = scrape.putArray("relabel_configs");
        rule(rules, "drop", "(Failed|Succeeded)", "__meta_kubernetes_pod_phase");
        labels(rules, monitor, "pod");
        rule(rules, "keep", endpoint.path("port").asText(), "__meta_kubernetes_pod_container_port_name");
        target(rules, "namespace", "__meta_kubernetes_namespace");
        target(rules, "container", "__meta_kubernetes_pod_container_name");
        target(rules, "pod", "__meta_kubernetes_pod_name");
        constant(rules, "job", name(monitor));
        constant(rules, "endpoint", endpoint.path("port").asText());
        return scrape;
    }

    /** Of a ServiceMonitor: all endpoints of the services with the labels. */
    ObjectNode ofService(JsonNode monitor) {
        var endpoint = monitor.path("spec").path("endpoints").get(0);
        var scrape = scrape(monitor, endpoint, "serviceMonitor", "endpoints");
        var rules = scrape.putArray("relabel_configs");
        labels(rules, monitor, "service");
        rule(rules, "keep", endpoint.path("port").asText(), "__meta_kubernetes_endpoint_port_name");
        target(rules, "namespace", "__meta_kubernetes_namespace");
        target(rules, "service", "__meta_kubernetes_service_name");
        target(rules, "job", "__meta_kubernetes_service_name");
        constant(rules, "endpoint", endpoint.path("port").asText());
        return scrape;
    }

    private ObjectNode scrape(JsonNode monitor, JsonNode endpoint, String kind, String role) {
        var scrape = YAML.createObjectNode()
                .put("job_name", kind + "/" + name(monitor) + "/0")
                .put("metrics_path", endpoint.path("path").asText())
                .put("honor_labels", endpoint.path("honorLabels").asBoolean(false));
        var files = scrape.putArray("file_sd_configs").addObject().put("refresh_interval", "1s");
        files.putArray("files").add(discovery.file(role).toString());
        return scrape;
    }

    private static void labels(ArrayNode rules, JsonNode monitor, String object) {
        monitor.path("spec").path("selector").path("matchLabels").properties().forEach(label -> {
            var name = label.getKey().replaceAll("[^a-zA-Z0-9_]", "_");
            var meta = "__meta_kubernetes_" + object + "_label";
            rules.addObject()
                    .put("action", "keep")
                    .put("regex", "(" + label.getValue().asText() + ");true")
                    .putArray("source_labels")
                    .add(meta + "_" + name)
                    .add(meta + "present_" + name);
        });
    }

    private static String name(JsonNode monitor) {
        var metadata = monitor.path("metadata");
        return metadata.path("namespace").asText() + "/" + metadata.path("name").asText();
    }

    private static void rule(ArrayNode rules, String action, String regex, String source) {
        rules.addObject()
                .put("action", action)
                .put("regex", regex)
                .putArray("source_labels")
                .add(source);
    }

    private static void target(ArrayNode rules, String label, String source) {
        rules.addObject().put("target_label", label).putArray("source_labels").add(source);
    }

    private static void constant(ArrayNode rules, String label, String value) {
        rules.addObject().put("target_label", label).put("replacement", value);
    }
}
