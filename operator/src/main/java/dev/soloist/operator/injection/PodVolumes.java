package dev.soloist.operator.injection;

import static dev.soloist.operator.injection.Json.array;
import static dev.soloist.operator.injection.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// The two volumes of an injected pod, and where they are mounted.
final class PodVolumes {

    /// In memory, shared with the app: holds the token of the localhost API and nothing else.
    static final String TOKEN = "soloist-token";

    static final String TOKEN_DIRECTORY = "/var/run/soloist";

    /// The store's address and credentials, for the sidecar alone. Optional: a pod may be older than the first job of
    /// its namespace.
    static final String STORE = "soloist-store";

    static final String STORE_DIRECTORY = "/etc/soloist/store";

    private PodVolumes() {}

    static JsonNode token() {
        return object("name", TOKEN).set("emptyDir", object("medium", "Memory").put("sizeLimit", "1Mi"));
    }

    static JsonNode store() {
        return object("name", STORE)
                .set("secret", object("secretName", STORE).put("optional", true).put("defaultMode", 0444));
    }

    static JsonNode tokenMountOfApp() {
        return object("name", TOKEN).put("mountPath", TOKEN_DIRECTORY).put("readOnly", true);
    }

    static JsonNode mountsOfSidecar() {
        return array(
                object("name", TOKEN).put("mountPath", TOKEN_DIRECTORY),
                object("name", STORE).put("mountPath", STORE_DIRECTORY).put("readOnly", true));
    }

    static boolean mountsToken(JsonNode container) {
        return PodView.elements(container.path("volumeMounts"))
                .anyMatch(mount -> mount.path("name").asText().equals(TOKEN));
    }

    /// Names and places that the pod's owner has given to something else.
    static List<String> conflicts(PodView pod) {
        var conflicts = new ArrayList<String>();
        pod.volume(TOKEN).filter(volume -> !volume.has("emptyDir")).ifPresent(_ -> conflicts.add(taken(TOKEN)));
        pod.volume(STORE).filter(volume -> !volume.has("secret")).ifPresent(_ -> conflicts.add(taken(STORE)));
        for (var place : pod.appContainers()) {
            PodView.elements(place.container().path("volumeMounts"))
                    .filter(mount -> mount.path("mountPath")
                                    .asText()
                                    .replaceAll("/+$", "")
                                    .equals(TOKEN_DIRECTORY)
                            && !mount.path("name").asText().equals(TOKEN))
                    .forEach(_ -> conflicts.add("container " + place.name() + " mounts something at " + TOKEN_DIRECTORY
                            + ", where the sidecar's token belongs: mount it elsewhere"));
        }
        return conflicts;
    }

    private static String taken(String name) {
        return "the pod has a volume named " + name + " of another kind: rename it, the sidecar needs that name";
    }
}
