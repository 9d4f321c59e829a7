package dev.soloist.operator.injection;

import static dev.soloist.operator.injection.Json.array;
import static dev.soloist.operator.injection.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.soloist.crds.Labels;
import dev.soloist.operator.injection.SidecarOptions.Placement;

/// Builds the JSON patch of one pod. Pure, and only ever `add` operations for what is missing: applied twice it
/// changes nothing the second time, and what a user or another webhook wrote stays byte for byte as it was.
final class PodPatch {

    private final PodView pod;
    private final ArrayNode operations = array();

    private PodPatch(PodView pod) {
        this.pod = pod;
    }

    static ArrayNode inject(PodView pod, SidecarOptions options, InjectionSettings settings) {
        var patch = new PodPatch(pod);
        // The app's containers first: their places are those of the pod as it came.
        patch.addToApp(options);
        patch.addVolumes();
        patch.addSidecar(options, settings);
        patch.addLabel(Labels.INJECTED_TRUE);
        return patch.operations;
    }

    static ArrayNode label(PodView pod, String value) {
        var patch = new PodPatch(pod);
        patch.addLabel(value);
        return patch.operations;
    }

    private void addToApp(SidecarOptions options) {
        var variables = Variables.ofApp(options);
        for (var place : pod.appContainers()) {
            var missing = array();
            variables.forEach(variable -> {
                if (!Variables.has(place.container(), variable.path("name").asText())) {
                    missing.add(variable);
                }
            });
            append(place.pointer() + "/env", missing);
            if (!PodVolumes.mountsToken(place.container())) {
                append(place.pointer() + "/volumeMounts", array(PodVolumes.tokenMountOfApp()));
            }
        }
    }

    private void addVolumes() {
        var missing = array();
        if (pod.volume(PodVolumes.TOKEN).isEmpty()) {
            missing.add(PodVolumes.token());
        }
        if (pod.volume(PodVolumes.STORE).isEmpty()) {
            missing.add(PodVolumes.store());
        }
        append("/spec/volumes", missing);
    }

    private void addSidecar(SidecarOptions options, InjectionSettings settings) {
        var present = pod.sidecar();
        if (present.isPresent()) {
            restoreRestartPolicy(present.get());
            return;
        }
        var container = SidecarContainer.of(pod, options, settings);
        if (options.placement() == Placement.ORDINARY) {
            append("/spec/containers", array(container));
        } else if (pod.has("/spec/initContainers")) {
            add("/spec/initContainers/0", container);
        } else {
            add("/spec/initContainers", array(container));
        }
    }

    /// A webhook with an older model of pods may have dropped the field; without it the pod would wait for our exit
    /// for ever.
    private void restoreRestartPolicy(PodView.Place sidecar) {
        if (sidecar.pointer().startsWith("/spec/initContainers")
                && !sidecar.container().has("restartPolicy")) {
            add(sidecar.pointer() + "/restartPolicy", Json.MAPPER.valueToTree("Always"));
        }
    }

    private void addLabel(String value) {
        if (value.equals(pod.labels().get(Labels.INJECTED))) {
            return;
        }
        if (pod.has("/metadata/labels")) {
            add("/metadata/labels/" + Labels.INJECTED.replace("/", "~1"), Json.MAPPER.valueToTree(value));
        } else {
            add("/metadata/labels", object(Labels.INJECTED, value));
        }
    }

    private void append(String pointer, ArrayNode elements) {
        if (elements.isEmpty()) {
            return;
        }
        if (pod.has(pointer)) {
            elements.forEach(element -> add(pointer + "/-", element));
        } else {
            add(pointer, elements);
        }
    }

    private void add(String path, JsonNode value) {
        operations.add(object("op", "add").put("path", path).set("value", value));
    }
}
