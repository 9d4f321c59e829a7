package dev.soloist.operator.store;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.crds.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The Secret `soloist-store` of a namespace, mounted by its sidecars: what the operator was told of the store, and the
/// namespace's own user. The password lives nowhere else. Who deletes the Secret, or asks by an annotation, gets a
/// new one, and the old one stays valid until sidecars have followed.
final class StoreSecret {

    static final String NAME = "soloist-store";

    /// A kubelet brings a changed Secret to its pods within about two minutes.
    static final Duration FORMER_STAYS_VALID = Duration.ofMinutes(10);

    /// Any new value asks for a new password.
    static final String ROTATE = "soloist.dev/rotate-password";

    private static final String ROTATED = "soloist.dev/rotated-password";
    private static final String SINCE = "soloist.dev/password-since";
    private static final String FORMER = "soloist.dev/former-password-sha256";

    private final KubernetesClient client;

    StoreSecret(KubernetesClient client) {
        this.client = client;
    }

    /// Whether the namespace has the Secret.
    boolean exists(String namespace) {
        return get(namespace) != null;
    }

    /// Makes the Secret, or brings it up to date, and answers the passwords that are to be valid.
    ///
    /// @param shared what sidecars are told beside their user, by file name
    /// @param now Redis' time
    /// @param inForce digests of the passwords that Redis accepts now; asked only when the Secret tells none
    /// @throws KubernetesClientException if the API server refuses
    Passwords ensure(
            String namespace,
            Map<String, String> shared,
            String username,
            Instant now,
            Supplier<List<String>> inForce) {
        var found = get(namespace);
        if (found == null) {
            return create(namespace, shared, username, now, inForce);
        }
        var told = text(found, StoreFile.PASSWORD.fileName());
        var asked = annotation(found, ROTATE);
        if (told.isEmpty() || !asked.equals(annotation(found, ROTATED))) {
            var former =
                    told.map(password -> outdated(password, former(found, now))).orElseGet(inForce);
            var fresh = new Passwords(Passwords.random(), former);
            patch(found, data(shared, username, fresh.current()), annotations(fresh, now, asked));
            return fresh;
        }
        var passwords = new Passwords(told.get(), former(found, now));
        var wanted = data(shared, username, passwords.current());
        if (!wanted.equals(found.getData())) {
            patch(found, wanted, Map.of());
        }
        return passwords;
    }

    private Passwords create(
            String namespace,
            Map<String, String> shared,
            String username,
            Instant now,
            Supplier<List<String>> inForce) {
        var fresh = new Passwords(Passwords.random(), inForce.get());
        try {
            client.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(NAME)
                            .addToLabels(Labels.MANAGED_BY, Labels.MANAGED_BY_SOLOIST)
                            .addToAnnotations(annotations(fresh, now, Optional.empty()))
                            .endMetadata()
                            .withType("Opaque")
                            .withData(data(shared, username, fresh.current()))
                            .build())
                    .create();
            return fresh;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                // Another replica was faster: its password counts.
                return ensure(namespace, shared, username, now, inForce);
            }
            throw refused;
        }
    }

    /// Names the version it is based on: of two who rotate at once, one is refused and tries again.
    private void patch(Secret found, Map<String, String> data, Map<String, String> annotations) {
        var changes = new HashMap<String, @Nullable Object>(data);
        found.getData().keySet().stream()
                .filter(file -> !data.containsKey(file))
                .forEach(file -> changes.put(file, null));
        var metadata = Map.of("resourceVersion", found.getMetadata().getResourceVersion(), "annotations", annotations);
        client.secrets()
                .inNamespace(found.getMetadata().getNamespace())
                .withName(NAME)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("metadata", metadata, "data", changes)));
    }

    private @Nullable Secret get(String namespace) {
        return client.secrets().inNamespace(namespace).withName(NAME).get();
    }

    private static Map<String, String> data(Map<String, String> shared, String username, String password) {
        var data = new TreeMap<String, String>();
        shared.forEach((file, text) -> data.put(file, encode(text)));
        data.put(StoreFile.USERNAME.fileName(), encode(username));
        data.put(StoreFile.PASSWORD.fileName(), encode(password));
        return data;
    }

    private static Map<String, String> annotations(Passwords passwords, Instant now, Optional<String> asked) {
        var annotations = new HashMap<String, String>();
        asked.ifPresent(value -> annotations.put(ROTATED, value));
        annotations.put(FORMER, String.join(",", passwords.former()));
        annotations.put(SINCE, now.toString());
        return annotations;
    }

    private static List<String> former(Secret secret, Instant now) {
        var digests = annotation(secret, FORMER).filter(text -> !text.isEmpty());
        var since = annotation(secret, SINCE).flatMap(StoreSecret::instant);
        var valid = digests.isPresent()
                && since.isPresent()
                && now.isBefore(since.get().plus(FORMER_STAYS_VALID));
        return valid ? List.of(digests.get().split(",")) : List.of();
    }

    /// Also one that is two changes old, for a sidecar may not have followed the first.
    private static List<String> outdated(String password, List<String> former) {
        return Stream.concat(Stream.of(Passwords.digest(password)), former.stream())
                .limit(2)
                .toList();
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException edited) {
            return Optional.empty();
        }
    }

    private static Optional<String> annotation(Secret secret, String name) {
        return Optional.ofNullable(secret.getMetadata().getAnnotations()).map(all -> all.get(name));
    }

    private static Optional<String> text(Secret secret, String file) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(file))
                .map(value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8).strip())
                .filter(text -> !text.isEmpty());
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
