package dev.soloist.operator.injection;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// A pod as the API server sent it. It stays raw JSON, so that a field which this version does not know can neither
/// be lost nor changed.
record PodView(JsonNode json) {

    /// A container and where it stands in the pod.
    record Place(String pointer, JsonNode container) {
        String name() {
            return container.path("name").asText();
        }
    }

    Map<String, String> annotations() {
        return texts(json.path("metadata").path("annotations"));
    }

    Map<String, String> labels() {
        return texts(json.path("metadata").path("labels"));
    }

    boolean has(String pointer) {
        return json.at(pointer).isContainerNode();
    }

    /// The app's containers: all ordinary ones but ours.
    List<Place> appContainers() {
        return places("/spec/containers").stream()
                .filter(place -> !place.name().equals(SidecarContainer.NAME))
                .toList();
    }

    List<Place> initContainers() {
        return places("/spec/initContainers");
    }

    /// Our container, in whichever list it stands.
    Optional<Place> sidecar() {
        var all = new ArrayList<>(initContainers());
        all.addAll(places("/spec/containers"));
        return all.stream()
                .filter(place -> place.name().equals(SidecarContainer.NAME))
                .findFirst();
    }

    Optional<JsonNode> volume(String name) {
        return elements(json.at("/spec/volumes"))
                .filter(volume -> volume.path("name").asText().equals(name))
                .findFirst();
    }

    boolean onHostNetwork() {
        return json.at("/spec/hostNetwork").asBoolean(false);
    }

    boolean isMirror() {
        return annotations().containsKey("kubernetes.io/config.mirror");
    }

    boolean isForWindows() {
        return "windows".equals(json.at("/spec/os/name").asText())
                || "windows"
                        .equals(json.at("/spec/nodeSelector/kubernetes.io~1os").asText());
    }

    boolean belongsToJob() {
        return elements(json.at("/metadata/ownerReferences"))
                .anyMatch(owner -> owner.path("kind").asText().equals("Job"));
    }

    /// Kubernetes' own default where the pod says nothing; bounded by what the sidecar reads.
    int graceSeconds() {
        return Math.clamp(json.at("/spec/terminationGracePeriodSeconds").asLong(30), 0, 65535);
    }

    /// Root by the pod's own word. The sidecar may not run as root, so it then needs a user of its own.
    boolean runsAsRoot() {
        var user = json.at("/spec/securityContext/runAsUser");
        return user.isNumber() && user.asLong() == 0;
    }

    /// Whether each app container limits and requests the same CPU and memory: the pod's class of service is then
    /// Guaranteed.
    boolean isGuaranteed() {
        return appContainers().stream().allMatch(place -> {
            var limits = place.container().at("/resources/limits");
            var requests = place.container().at("/resources/requests");
            return limits.has("cpu")
                    && limits.has("memory")
                    && requests.path("cpu").equals(limits.path("cpu"))
                    && requests.path("memory").equals(limits.path("memory"));
        });
    }

    private List<Place> places(String pointer) {
        var array = json.at(pointer);
        return IntStream.range(0, array.size())
                .mapToObj(i -> new Place(pointer + "/" + i, array.get(i)))
                .toList();
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static Map<String, String> texts(JsonNode object) {
        var texts = new LinkedHashMap<String, String>();
        object.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }
}
