package dev.soloist.operator.injection;

import static dev.soloist.operator.injection.Json.array;
import static dev.soloist.operator.injection.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.soloist.coordination.contract.AppEnvironment;
import dev.soloist.coordination.contract.PodField;
import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.coordination.contract.Variable;
import dev.soloist.operator.injection.SidecarOptions.Placement;

/// Environment variables as a container holds them.
final class Variables {

    private static final String TOKEN_FILE = PodVolumes.TOKEN_DIRECTORY + "/token";
    private static final String EVERY_ADDRESS = "0.0.0.0";

    private Variables() {}

    static ArrayNode ofApp(SidecarOptions options) {
        var variables = array();
        new AppEnvironment(options.apiPort(), TOKEN_FILE)
                .toEnvironment()
                .forEach((name, value) -> variables.add(literal(name, value)));
        return variables;
    }

    /// Who the pod is comes by the downward API: when a pod is admitted it has no UID, and often no name.
    static ArrayNode ofSidecar(PodView pod, SidecarOptions options, InjectionSettings settings) {
        var variables = array();
        for (var field : PodField.values()) {
            variables.add(reference(field.variable().key(), field.path()));
        }
        new SidecarEnvironment(
                        settings.install(),
                        options.apiPort(),
                        EVERY_ADDRESS,
                        options.metricsPort(),
                        PodVolumes.STORE_DIRECTORY,
                        TOKEN_FILE,
                        pod.graceSeconds(),
                        options.logLevel())
                .toEnvironment()
                .forEach((name, value) -> variables.add(literal(name, value)));
        if (options.placement() == Placement.ORDINARY) {
            // The kubelet tells it to end at the same moment as the app, which may be at work for the whole grace.
            variables.add(literal(Variable.ENDS_WITH_APP.key(), "true"));
        }
        return variables;
    }

    static boolean has(JsonNode container, String name) {
        return PodView.elements(container.path("env"))
                .anyMatch(variable -> variable.path("name").asText().equals(name));
    }

    private static JsonNode literal(String name, String value) {
        return object("name", name).put("value", value);
    }

    private static JsonNode reference(String name, String path) {
        var field = object("apiVersion", "v1").put("fieldPath", path);
        return object("name", name).set("valueFrom", object().set("fieldRef", field));
    }
}
