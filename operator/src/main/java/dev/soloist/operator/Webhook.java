package dev.soloist.operator;

import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.operator.certificates.CertificateKeeper;
import dev.soloist.operator.certificates.CertificatePlaces;
import dev.soloist.operator.certificates.ServingCertificate;
import dev.soloist.operator.injection.AdmissionHandler;
import dev.soloist.operator.injection.InjectionSettings;
import dev.soloist.operator.injection.WebhookServer;
import dev.soloist.operator.metrics.OperatorMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/// The injection webhook with its certificates, on every replica, whoever leads.
final class Webhook implements AutoCloseable {

    private static final String SECRET = "soloist-webhook-certificates";
    private static final String SERVICE = "soloist-webhook";

    private final ServingCertificate certificate = new ServingCertificate();
    private final WebhookServer server;
    private final BackgroundLoop keeper;

    /// Binds the port; handshakes fail until the first certificate is there.
    ///
    /// @throws IOException if the port is taken
    Webhook(OperatorSettings settings, KubernetesClient client, OperatorMetrics metrics) throws IOException {
        var injection = new InjectionSettings(
                settings.sidecarImage(),
                settings.sidecarPullPolicy(),
                settings.install().name());
        this.server = WebhookServer.start(
                new InetSocketAddress(settings.webhookPort()),
                certificate.context(),
                new AdmissionHandler(injection),
                metrics::webhookAnswered);
        var places = new CertificatePlaces(settings.namespace(), SECRET, settings.webhookConfiguration());
        var name = SERVICE + "." + settings.namespace();
        var certificates = new CertificateKeeper(
                client, places, certificate, List.of(name + ".svc", name + ".svc.cluster.local", name));
        this.keeper = new BackgroundLoop("certificates", certificates::runOnce, error -> {}).start();
    }

    boolean isReady() {
        return certificate.current().isPresent();
    }

    double certificateExpiry() {
        return certificate.expirySeconds();
    }

    @Override
    public void close() {
        server.close();
        keeper.close();
    }
}
