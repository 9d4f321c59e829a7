package dev.soloist.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.crds.Labels;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The monitors fit what the injector writes and what is installed, and have only fields that their kinds have. */
class MonitorsTest {

    @ParameterizedTest
    @EnumSource(InjectedPod.Placement.class)
    void theSidecarsMonitorSelectsTheLabelAndThePortThatTheInjectorWrites(InjectedPod.Placement placement)
            throws IOException {
        var pod = InjectedPod.asInjected(placement);
        var spec = Monitors.read("sidecar_monitor.yaml").path("spec");
        assertThat(spec.path("selector").path("matchLabels").properties())
                .singleElement()
                .satisfies(label -> {
                    assertThat(label.getKey()).isEqualTo(Labels.INJECTED);
                    assertThat(pod.getMetadata().getLabels())
                            .containsEntry(label.getKey(), label.getValue().asText());
                });
        assertThat(InjectedPod.sidecar(pod).getPorts()).singleElement().satisfies(port -> {
            assertThat(spec.path("podMetricsEndpoints").get(0).path("port").asText())
                    .isEqualTo(port.getName());
            assertThat(port.getContainerPort()).isEqualTo(SidecarEnvironment.DEFAULT_METRICS_PORT);
        });
        assertThat(spec.path("namespaceSelector").path("any").asBoolean()).isTrue();
    }

    @Test
    void theOperatorsMonitorSelectsTheServiceBesideIt() throws IOException {
        var monitor = Monitors.read("operator_monitor.yaml");
        var service = Monitors.read("operator_service.yaml");
        assertThat(monitor.path("metadata").path("namespace"))
                .isEqualTo(service.path("metadata").path("namespace"));
        monitor.path("spec")
                .path("selector")
                .path("matchLabels")
                .properties()
                .forEach(label -> assertThat(
                                service.path("metadata").path("labels").path(label.getKey()))
                        .isEqualTo(label.getValue()));
        assertThat(service.path("spec").path("ports").findValuesAsText("name"))
                .contains(monitor.path("spec")
                        .path("endpoints")
                        .get(0)
                        .path("port")
                        .asText());
    }

    @Test
    void theServiceLeadsToThePortOfTheInstalledOperator() throws IOException {
        var service = Monitors.read("operator_service.yaml").path("spec");
        var template = Monitors.read("../operator/deployment.yaml").path("spec").path("template");
        service.path("selector")
                .properties()
                .forEach(label -> assertThat(
                                template.path("metadata").path("labels").path(label.getKey()))
                        .isEqualTo(label.getValue()));
        assertThat(template.path("spec").path("containers").get(0).path("ports").findValuesAsText("name"))
                .contains(service.path("ports").get(0).path("targetPort").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sidecar_monitor.yaml", "operator_monitor.yaml"})
    void aMonitorHasOnlyKnownFields(String file) throws IOException {
        var monitor = Monitors.read(file);
        assertThat(monitor.path("apiVersion").asText()).isEqualTo("monitoring.coreos.com/v1");
        assertThat(monitor.path("kind").asText()).isIn("ServiceMonitor", "PodMonitor");
        assertThat(names(monitor)).isEqualTo(Set.of("apiVersion", "kind", "metadata", "spec"));
        var endpoints = monitor.path("kind").asText().equals("PodMonitor") ? "podMetricsEndpoints" : "endpoints";
        assertThat(Set.of("selector", "namespaceSelector", endpoints)).containsAll(names(monitor.path("spec")));
        for (var endpoint : monitor.path("spec").path(endpoints)) {
            assertThat(Set.of("port", "path")).isEqualTo(names(endpoint));
            assertThat(endpoint.path("path").asText()).isEqualTo("/metrics");
        }
    }

    @Test
    void allFilesArePartOfTheKustomization() throws IOException {
        assertThat(Monitors.read("kustomization.yaml").path("resources"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(List.of(
                        "operator_service.yaml", "operator_monitor.yaml", "sidecar_monitor.yaml", "alerts_rule.yaml"));
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
