package dev.soloist.operator.testkit;

import dev.soloist.operator.certificates.CertificatePlaces;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.util.Map;

/** The webhook configuration of `config/webhook`, pointed at a server in this JVM and limited to namespaces of one test. */
public final class LocalWebhook {

    public static final Map<String, String> LABELS = Map.of("soloist-test/webhook", "on");

    private LocalWebhook() {}

    public static CertificatePlaces places(String name) {
        return new CertificatePlaces("soloist-system", "certificates-of-" + name, name);
    }

    public static MutatingWebhookConfiguration install(String name, int port) {
        var configuration = (MutatingWebhookConfiguration)
                ApiServer.readConfig("webhook/webhook.yaml").getFirst();
        configuration.getMetadata().setName(name);
        configuration.getWebhooks().forEach(webhook -> {
            webhook.getClientConfig().setService(null);
            webhook.getClientConfig().setUrl("https://127.0.0.1:" + port + "/inject");
            webhook.getNamespaceSelector().setMatchLabels(LABELS);
        });
        return ApiServer.admin().resource(configuration).create();
    }

    public static void remove(String name) {
        ApiServer.admin()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(name)
                .delete();
    }
}
