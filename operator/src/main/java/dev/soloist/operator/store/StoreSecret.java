package dev.soloist.operator.store;

import dev.soloist.crds.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The Secret `soloist-store` of a namespace, mounted by its sidecars: what the operator was told of the store, and the
/// namespace's own user. The password lives nowhere else.
final class StoreSecret {

    static final String NAME = "soloist-store";

    private final KubernetesClient client;

    StoreSecret(KubernetesClient client) {
        this.client = client;
    }

    /// Whether the namespace has the Secret.
    boolean exists(String namespace) {
        return get(namespace) != null;
    }

    /// Makes the Secret, or brings it up to date, and answers what it holds now. Where sidecars may be told nothing
    /// yet, there is none.
    ///
    /// @throws KubernetesClientException if the API server refuses
    SecretContent ensure(String namespace, SecretContent.Wish wish) {
        var found = get(namespace);
        var content = SecretContent.of(found, wish);
        if (found == null && !content.complete()) {
            return content;
        }
        if (found == null) {
            return create(namespace, content) ? content : ensure(namespace, wish);
        }
        if (!content.data().equals(found.getData()) || !content.annotations().isEmpty()) {
            patch(found, content);
        }
        return content;
    }

    /// Answers false if another replica was faster: then its password counts.
    private boolean create(String namespace, SecretContent content) {
        try {
            client.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(NAME)
                            .addToLabels(Labels.MANAGED_BY, Labels.MANAGED_BY_SOLOIST)
                            .addToAnnotations(content.annotations())
                            .endMetadata()
                            .withType("Opaque")
                            .withData(content.data())
                            .build())
                    .create();
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw refused;
        }
    }

    /// Names the version it is based on: of two who change the password at once, one is refused and tries again.
    private void patch(Secret found, SecretContent content) {
        var data = new HashMap<String, @Nullable Object>(content.data());
        if (found.getData() != null) {
            found.getData().keySet().forEach(file -> data.putIfAbsent(file, null));
        }
        var metadata = Map.of(
                "resourceVersion", found.getMetadata().getResourceVersion(), "annotations", content.annotations());
        client.secrets()
                .inNamespace(found.getMetadata().getNamespace())
                .withName(NAME)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of("metadata", metadata, "data", data)));
    }

    private @Nullable Secret get(String namespace) {
        return client.secrets().inNamespace(namespace).withName(NAME).get();
    }
}
