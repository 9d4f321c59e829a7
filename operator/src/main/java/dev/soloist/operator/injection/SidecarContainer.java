package dev.soloist.operator.injection;

import static dev.soloist.operator.injection.Json.array;
import static dev.soloist.operator.injection.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.operator.injection.SidecarOptions.Placement;

/// The sidecar's container. It passes the `restricted` Pod Security level by itself, whatever the pod says at its own
/// level.
final class SidecarContainer {

    static final String NAME = InjectedPod.SIDECAR;

    /// Used where the pod says root for all its containers; else the image's own user, or the pod's, is right.
    private static final int USER = 65532;

    private static final String CPU_LIMIT = "500m";

    private SidecarContainer() {}

    static ObjectNode of(PodView pod, SidecarOptions options, InjectionSettings settings) {
        var container =
                object("name", NAME).put("image", options.image()).put("imagePullPolicy", settings.imagePullPolicy());
        if (options.placement() == Placement.NATIVE) {
            container.put("restartPolicy", "Always");
        }
        container.set("env", Variables.ofSidecar(pod, options, settings));
        container.set(
                "ports",
                array(object("name", InjectedPod.METRICS_PORT)
                        .put("containerPort", options.metricsPort())
                        .put("protocol", "TCP")));
        container.set("resources", resources(pod, options));
        container.set("securityContext", securityContext(pod));
        // Neither probe asks for Redis or the operator: their absence must not keep the app from starting, or kill it.
        container.set(
                "startupProbe",
                probe("/startupz", options).put("periodSeconds", 1).put("failureThreshold", 120));
        container.set(
                "livenessProbe",
                probe("/livez", options).put("periodSeconds", 10).put("failureThreshold", 6));
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        container.set("volumeMounts", PodVolumes.mountsOfSidecar());
        return container;
    }

    /// Always requests and limits of both: a ResourceQuota may demand them, and an autoscaler of the Deployment
    /// divides by the request.
    private static JsonNode resources(PodView pod, SidecarOptions options) {
        var cpu = new Cpu(options.cpu());
        // A pod whose containers all request what they limit keeps its class only if ours does as well.
        var limit = pod.isGuaranteed() ? cpu.atLeast("100m") : cpu.atLeast(CPU_LIMIT);
        var request = pod.isGuaranteed() ? limit : options.cpu();
        var resources = object();
        resources.set("requests", object("cpu", request).put("memory", options.memory()));
        resources.set("limits", object("cpu", limit).put("memory", options.memory()));
        return resources;
    }

    private static JsonNode securityContext(PodView pod) {
        var context = object();
        context.put("allowPrivilegeEscalation", false);
        context.put("readOnlyRootFilesystem", true);
        context.put("runAsNonRoot", true);
        if (pod.runsAsRoot()) {
            context.put("runAsUser", USER);
        }
        context.set("capabilities", object().set("drop", dropAll()));
        context.set("seccompProfile", object("type", "RuntimeDefault"));
        return context;
    }

    private static ArrayNode dropAll() {
        return array().add("ALL");
    }

    private static ObjectNode probe(String path, SidecarOptions options) {
        var probe = object();
        probe.set(
                "httpGet",
                object("path", path).put("port", options.metricsPort()).put("scheme", "HTTP"));
        return probe.put("timeoutSeconds", 2);
    }
}
