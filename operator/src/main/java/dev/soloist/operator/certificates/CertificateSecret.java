package dev.soloist.operator.certificates;

import dev.soloist.crds.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The certificates in their Secret, which all replicas share. Writes carry the version they are based on: of
/// two replicas that renew at once, one wins and the other reads what it wrote.
final class CertificateSecret {

    private static final Logger LOGGER = LoggerFactory.getLogger(CertificateSecret.class);

    private final KubernetesClient client;
    private final String namespace;
    private final String name;

    CertificateSecret(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
    }

    /// What was read: the version to write over, and the set unless the Secret is absent or somebody damaged it.
    record Stored(@Nullable String version, Optional<CertificateSet> set) {}

    Stored read() {
        var secret = client.secrets().inNamespace(namespace).withName(name).get();
        if (secret == null) {
            return new Stored(null, Optional.empty());
        }
        return new Stored(secret.getMetadata().getResourceVersion(), parse(secret));
    }

    /// Whether the write won; if not, read again.
    boolean write(CertificateSet set, @Nullable String version) {
        var secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withResourceVersion(version)
                .addToLabels(Labels.MANAGED_BY, Labels.MANAGED_BY_SOLOIST)
                .endMetadata()
                .withType("kubernetes.io/tls")
                .withData(Map.of(
                        "ca.crt", encode(set.bundle()),
                        "ca.key", encode(Pem.of(set.authority().key())),
                        "tls.crt", encode(Pem.of(set.leaf().certificate())),
                        "tls.key", encode(Pem.of(set.leaf().key()))))
                .build();
        try {
            var resource = client.resource(secret);
            if (version == null) {
                resource.create();
            } else {
                resource.update();
            }
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw refused;
        }
    }

    private Optional<CertificateSet> parse(Secret secret) {
        try {
            var trusted = Pem.certificates(decode(secret, "ca.crt"));
            var leaf = Pem.certificates(decode(secret, "tls.crt")).getFirst();
            return Optional.of(new CertificateSet(
                    new Identity(Pem.key(decode(secret, "ca.key")), trusted.getFirst()),
                    new Identity(Pem.key(decode(secret, "tls.key")), leaf),
                    List.copyOf(trusted)));
        } catch (GeneralSecurityException | RuntimeException damaged) {
            LOGGER.atWarn()
                    .addKeyValue("secret", namespace + "/" + name)
                    .setCause(damaged)
                    .log("the Secret does not hold usable certificates: new ones replace them");
            return Optional.empty();
        }
    }

    private static String decode(Secret secret, String key) {
        var value = secret.getData() == null ? null : secret.getData().get(key);
        return value == null ? "" : new String(Base64.getDecoder().decode(value), StandardCharsets.US_ASCII);
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
