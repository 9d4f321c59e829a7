package dev.soloist.operator.store;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.crds.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// The Secret `soloist-store` of a namespace, mounted by its sidecars. The password lives nowhere else; who deletes
/// the Secret gets a new one.
final class StoreSecret {

    static final String NAME = "soloist-store";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final KubernetesClient client;

    StoreSecret(KubernetesClient client) {
        this.client = client;
    }

    /// Makes the Secret, or brings it up to date, and answers its password.
    ///
    /// @throws KubernetesClientException if the API server refuses
    String ensure(String namespace, String address, String username) {
        var found = client.secrets().inNamespace(namespace).withName(NAME).get();
        if (found == null) {
            return create(namespace, address, username);
        }
        var password = text(found, StoreFile.PASSWORD);
        var upToDate = password.isPresent()
                && text(found, StoreFile.ADDRESS).equals(Optional.of(address))
                && text(found, StoreFile.USERNAME).equals(Optional.of(username));
        if (upToDate) {
            return password.get();
        }
        var kept = password.orElseGet(StoreSecret::newPassword);
        client.secrets()
                .inNamespace(namespace)
                .withName(NAME)
                .patch(PatchContext.of(PatchType.JSON_MERGE), secret(namespace, address, username, kept));
        return kept;
    }

    private String create(String namespace, String address, String username) {
        var password = newPassword();
        try {
            client.resource(secret(namespace, address, username, password)).create();
            return password;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                // Another replica was faster: its password counts.
                return ensure(namespace, address, username);
            }
            throw refused;
        }
    }

    private static Secret secret(String namespace, String address, String username, String password) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .addToLabels(Labels.MANAGED_BY, Labels.MANAGED_BY_SOLOIST)
                .endMetadata()
                .withType("Opaque")
                .withData(Map.of(
                        StoreFile.ADDRESS.fileName(), encode(address),
                        StoreFile.USERNAME.fileName(), encode(username),
                        StoreFile.PASSWORD.fileName(), encode(password)))
                .build();
    }

    private static Optional<String> text(Secret secret, StoreFile file) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(file.fileName()))
                .map(value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8).strip())
                .filter(text -> !text.isEmpty());
    }

    private static String newPassword() {
        var bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
