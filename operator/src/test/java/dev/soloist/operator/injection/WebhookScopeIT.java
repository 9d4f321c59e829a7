package dev.soloist.operator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.LocalWebhook;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to pods while no webhook answers. */
@Tag("api")
class WebhookScopeIT {

    private static final String NAME = "scope-it";

    @BeforeEach
    void nobodyAnswers() {
        LocalWebhook.install(NAME, RedisProcess.freePort());
        var asked = ApiServer.newNamespace(LocalWebhook.LABELS);
        // The API server learns of a configuration a moment after it was written.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThatThrownBy(
                                () -> create(asked, "asking", Map.of("soloist.dev/inject", "true"), true))
                        .isInstanceOf(KubernetesClientException.class));
    }

    @AfterEach
    void remove() {
        LocalWebhook.remove(NAME);
    }

    @Test
    void i01_onlyAPodThatAsksForASidecarWaitsForTheWebhook() {
        var namespace = ApiServer.newNamespace(LocalWebhook.LABELS);

        assertThat(create(namespace, "plain", Map.of())).isNotNull();
        assertThat(create(namespace, "opted-out", Map.of("soloist.dev/inject", "false")))
                .isNotNull();
        assertThatThrownBy(() -> create(namespace, "asking", Map.of("soloist.dev/inject", "true")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("failed calling webhook \"inject.soloist.dev\"");
    }

    @Test
    void i01_systemNamespacesAreNeverAsked() {
        assertThat(create("kube-system", "asking", Map.of("soloist.dev/inject", "true")))
                .isNotNull();
        assertThat(create("soloist-system", "asking", Map.of("soloist.dev/inject", "true")))
                .isNotNull();
    }

    private static Pod create(String namespace, String name, Map<String, String> annotations) {
        return create(namespace, name, annotations, false);
    }

    private static Pod create(String namespace, String name, Map<String, String> annotations, boolean dryRun) {
        return ApiServer.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .withAnnotations(annotations)
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("app")
                        .withImage("app:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .dryRun(dryRun)
                .create();
    }
}
