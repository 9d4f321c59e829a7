package dev.soloist.e2e.live;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** One replica of the operator as a process of this machine. */
final class OperatorProcess implements AutoCloseable {

    private final int metricsPort = RedisProcess.freePort();
    private final int webhookPort = RedisProcess.freePort();
    private final ChildProcess process;

    /** Starts it and waits until it is ready, webhook and all. */
    OperatorProcess(Path parent, Path kubeConfig, String store) throws IOException {
        var folder = Files.createDirectories(parent.resolve("operator"));
        Files.writeString(folder.resolve(StoreFile.ADDRESS.fileName()), store);
        process = ChildProcess.ofModule(
                        "operator",
                        folder,
                        Map.of(
                                "KUBECONFIG", kubeConfig.toString(),
                                "POD_NAME", "soloist-operator-0",
                                "POD_NAMESPACE", "soloist-system",
                                "SOLOIST_SIDECAR_IMAGE", "soloist-sidecar:test",
                                "SOLOIST_STORE_DIR", folder.toString(),
                                "SOLOIST_WEBHOOK_PORT", String.valueOf(webhookPort),
                                "SOLOIST_METRICS_PORT", String.valueOf(metricsPort)))
                .awaitOk("http://127.0.0.1:" + metricsPort + "/readyz");
    }

    int metricsPort() {
        return metricsPort;
    }

    String logTail() {
        return process.logTail();
    }

    /**
     * Asks the webhook as the API server would, trusting what the operator gave it to trust; the API server of this machine cannot reach
     * a Service.
     *
     * @param caBundle base 64, as in the webhook's configuration
     */
    String review(String body, String caBundle) throws IOException, GeneralSecurityException {
        var connection = (HttpsURLConnection) URI.create("https://127.0.0.1:" + webhookPort + "/inject")
                .toURL()
                .openConnection();
        connection.setSSLSocketFactory(trusting(caBundle).getSocketFactory());
        // The certificate is the Service's, and this is not its address.
        connection.setHostnameVerifier((host, session) -> true);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        try (var answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static SSLContext trusting(String caBundle) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        var pem = new ByteArrayInputStream(Base64.getDecoder().decode(caBundle));
        for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
            store.setCertificateEntry("ca-" + store.size(), certificate);
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() {
        process.close();
    }
}
