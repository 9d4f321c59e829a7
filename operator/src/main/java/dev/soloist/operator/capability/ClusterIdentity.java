package dev.soloist.operator.capability;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which cluster this is: the uid of its namespace `kube-system`, which every cluster has and nobody makes anew. Asked
/// of
/// the API server until it answers once. Thread-safe.
public final class ClusterIdentity implements Supplier<String> {

    private static final Logger LOGGER = LoggerFactory.getLogger(ClusterIdentity.class);

    private final KubernetesClient client;
    private final AtomicReference<@Nullable String> known = new AtomicReference<>();

    public ClusterIdentity(KubernetesClient client) {
        this.client = client;
    }

    /// The uid, or an empty text while it cannot be read.
    @Override
    public String get() {
        var uid = known.get();
        if (uid != null) {
            return uid;
        }
        try {
            var namespace = client.namespaces().withName("kube-system").get();
            uid = namespace == null ? "" : namespace.getMetadata().getUid();
        } catch (KubernetesClientException refused) {
            LOGGER.atWarn().log("the cluster's identity cannot be read yet: {}", refused.getMessage());
            return "";
        }
        if (!uid.isEmpty()) {
            known.set(uid);
        }
        return uid;
    }
}
