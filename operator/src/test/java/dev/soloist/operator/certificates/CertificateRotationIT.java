package dev.soloist.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.operator.certificates.CertificateSet.Lives;
import dev.soloist.operator.injection.AdmissionHandler;
import dev.soloist.operator.injection.InjectionSettings;
import dev.soloist.operator.injection.WebhookServer;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.LocalWebhook;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("api")
class CertificateRotationIT {

    private static final String NAME = "rotation-it";
    private static final Lives LIVES = new Lives(Duration.ofDays(30), Duration.ofDays(25));

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.now().minus(Duration.ofDays(20)));
    private final ServingCertificate serving = new ServingCertificate();
    private final ServingCertificate servingOfOther = new ServingCertificate();
    private WebhookServer server;
    private CertificateKeeper keeper;
    private CertificateKeeper other;
    private String namespace = "";

    @BeforeEach
    void start() throws IOException {
        server = serve(0, serving);
        LocalWebhook.install(NAME, server.port());
        keeper = keeper(serving);
        other = keeper(servingOfOther);
        namespace = ApiServer.newNamespace(LocalWebhook.LABELS);
    }

    @AfterEach
    void stop() {
        LocalWebhook.remove(NAME);
        ApiServer.admin()
                .secrets()
                .inNamespace("soloist-system")
                .withName("certificates-of-" + NAME)
                .delete();
        server.close();
    }

    @Test
    void twoReplicasServeTheCertificateOfTheOneThatWonTheWrite() {
        keeper.runOnce();
        other.runOnce();

        assertThat(servingOfOther.current()).isEqualTo(serving.current()).isPresent();
        awaitAdmission();
        admit("first");
    }

    @Test
    void aNewLeafAndANewAuthorityAreServedWithoutARestartAndWithoutAFailedAdmission() throws IOException {
        keeper.runOnce();
        awaitAdmission();
        admit("fresh");

        now.set(now.get().plus(Duration.ofDays(17)));
        var first = serving.current();
        keeper.runOnce();
        assertThat(serving.current()).isNotEqualTo(first);
        admit("new-leaf");

        now.set(now.get().plus(Duration.ofDays(3)));
        var second = serving.current();
        assertThat(keeper.runOnce()).as("trusted first, served later").isLessThan(Duration.ofSeconds(10));
        assertThat(serving.current()).isEqualTo(second);
        admit("trusted-not-served");
        keeper.runOnce();
        assertThat(serving.current()).isNotEqualTo(second);
        // The API server keeps its connection; a new server makes it shake hands anew.
        var port = server.port();
        server.close();
        server = serve(port, serving);
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> asks("new-authority", true));
    }

    @Test
    void aBundleThatSomebodyResetIsPutBack() {
        keeper.runOnce();
        var before = bundle();
        ApiServer.admin()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(NAME)
                .edit(found -> {
                    found.getWebhooks().getFirst().getClientConfig().setCaBundle("");
                    return found;
                });

        keeper.runOnce();

        assertThat(bundle()).isNotEmpty().isEqualTo(before);
        awaitAdmission();
        admit("after-reset");
    }

    @Test
    void aDamagedSecretIsReplaced() {
        keeper.runOnce();
        ApiServer.admin()
                .secrets()
                .inNamespace("soloist-system")
                .withName("certificates-of-" + NAME)
                .edit(secret -> {
                    secret.getData().put("tls.key", "eA==");
                    return secret;
                });

        keeper.runOnce();
        keeper.runOnce();

        assertThat(new CertificateSecret(ApiServer.admin(), "soloist-system", "certificates-of-" + NAME)
                        .read()
                        .set())
                .isPresent();
        awaitAdmission();
        admit("after-damage");
    }

    private CertificateKeeper keeper(ServingCertificate serving) {
        return new CertificateKeeper(
                ApiServer.admin(), LocalWebhook.places(NAME), serving, List.of("127.0.0.1"), now::get, LIVES);
    }

    private static WebhookServer serve(int port, ServingCertificate serving) throws IOException {
        return WebhookServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                serving.context(),
                new AdmissionHandler(new InjectionSettings("sidecar:1", "IfNotPresent", "main")),
                (result, nanos) -> {});
    }

    private static String bundle() {
        return ApiServer.admin()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName(NAME)
                .get()
                .getWebhooks()
                .getFirst()
                .getClientConfig()
                .getCaBundle();
    }

    /** The API server learns of a configuration a moment after it was written. */
    private void awaitAdmission() {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> asks("probe", true));
    }

    private void admit(String name) {
        asks(name, false);
    }

    private void asks(String name, boolean dryRun) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToAnnotations("soloist.dev/inject", "true")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("app")
                .withImage("app:1")
                .endContainer()
                .endSpec()
                .build();
        Pod admitted = ApiServer.admin().resource(pod).dryRun(dryRun).create();
        assertThat(admitted.getMetadata().getLabels()).containsEntry("soloist.dev/injected", "true");
    }
}
