package dev.soloist.operator.certificates;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The `caBundle` of our webhook configuration, which tells the API server whom to trust.
final class TrustBundle {

    /// What was found.
    enum State {
        /// The API server has been told already.
        IN_FORCE,
        /// It has been told just now; each API server hears of it within a moment.
        PATCHED,
        /// There is no configuration to patch: nobody calls the webhook.
        ABSENT
    }

    private final KubernetesClient client;
    private final String configuration;

    TrustBundle(KubernetesClient client, String configuration) {
        this.client = client;
        this.configuration = configuration;
    }

    /// Makes the bundle what it should be, also after somebody has reset it. Repeating it changes nothing.
    State ensure(String pem) {
        var wanted = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
        var resource = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(configuration);
        var found = resource.get();
        if (found == null) {
            return State.ABSENT;
        }
        if (found.getWebhooks().stream()
                .allMatch(webhook -> wanted.equals(webhook.getClientConfig().getCaBundle()))) {
            return State.IN_FORCE;
        }
        resource.edit(current -> {
            current.getWebhooks().forEach(webhook -> webhook.getClientConfig().setCaBundle(wanted));
            return current;
        });
        return State.PATCHED;
    }
}
