package dev.soloist.operator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.soloist.operator.certificates.CertificateKeeper;
import dev.soloist.operator.certificates.ServingCertificate;
import dev.soloist.operator.testkit.ApiServer;
import dev.soloist.operator.testkit.LocalWebhook;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("api")
class InjectionIT {

    private static final String NAME = "injection-it";
    private static final List<String> RESULTS = new CopyOnWriteArrayList<>();
    private static WebhookServer server;
    private String namespace = "";

    @BeforeAll
    static void start() throws IOException {
        var serving = new ServingCertificate();
        server = WebhookServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                serving.context(),
                new AdmissionHandler(PodPatchTest.SETTINGS),
                (result, nanos) -> RESULTS.add(result));
        LocalWebhook.install(NAME, server.port());
        new CertificateKeeper(ApiServer.admin(), LocalWebhook.places(NAME), serving, List.of("127.0.0.1")).runOnce();
        awaitTheWebhook();
    }

    /** The API server learns of a configuration a moment after it was written. */
    private static void awaitTheWebhook() {
        var asked = ApiServer.newNamespace(labels(Map.of()));
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> !sidecarsOf(ApiServer.admin()
                                .pods()
                                .inNamespace(asked)
                                .resource(pod("spec: {containers: [{name: app, image: app:1}]}"))
                                .dryRun()
                                .create())
                        .isEmpty());
        await().atMost(Duration.ofSeconds(60)).until(() -> !RESULTS.isEmpty());
    }

    @AfterAll
    static void stop() {
        LocalWebhook.remove(NAME);
        server.close();
    }

    @BeforeEach
    void namespace() {
        namespace = ApiServer.newNamespace(labels(Map.of()));
        RESULTS.clear();
    }

    @Test
    void i05_aRestrictedPodIsAdmittedAndItsOwnContainersStayAsTheyWere() {
        var restricted = ApiServer.newNamespace(labels(Map.of("pod-security.kubernetes.io/enforce", "restricted")));
        var pod = pod("""
                spec:
                  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
                  containers:
                  - name: app
                    image: app:1
                    env: [{name: A, value: "1"}]
                    securityContext:
                      readOnlyRootFilesystem: true
                      runAsNonRoot: true
                      allowPrivilegeEscalation: false
                      capabilities: {drop: [ALL]}
                      seccompProfile: {type: Localhost, localhostProfile: mine.json}
                """);
        var withoutWebhook = ApiServer.newNamespace();
        var plain = create(withoutWebhook, pod);
        var injected = create(restricted, pod);

        assertThat(sidecarsOf(injected)).hasSize(1);
        assertThat(userParts(injected.getSpec().getContainers().getFirst()))
                .isEqualTo(userParts(plain.getSpec().getContainers().getFirst()));
    }

    @Test
    void i03_aPodMadeFromAnInjectedOneIsNotInjectedTwice() {
        var first = create(namespace, pod("spec: {containers: [{name: app, image: app:1}]}"));

        var copy = Serialization.clone(first);
        copy.getMetadata().setName("copy");
        copy.getMetadata().setResourceVersion(null);
        copy.getMetadata().setUid(null);
        copy.setStatus(null);
        var second =
                ApiServer.admin().pods().inNamespace(namespace).resource(copy).create();

        // They are noted when the answer has gone.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(RESULTS).containsExactly("injected", "unchanged"));
        assertThat(second.getSpec()).isEqualTo(first.getSpec());
    }

    @Test
    void i06_aQuotaThatWantsRequestsAndLimitsAdmitsThePod() {
        ApiServer.admin()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("all")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("requests.cpu", new Quantity("1"))
                        .addToHard("limits.cpu", new Quantity("2"))
                        .addToHard("requests.memory", new Quantity("1Gi"))
                        .addToHard("limits.memory", new Quantity("1Gi"))
                        .endSpec()
                        .build())
                .create();
        // No controller computes the quota's status here; admission compares with it.
        ApiServer.admin()
                .resourceQuotas()
                .inNamespace(namespace)
                .withName("all")
                .editStatus(quota -> {
                    quota.setStatus(new ResourceQuotaStatusBuilder()
                            .withHard(quota.getSpec().getHard())
                            .withUsed(Map.of(
                                    "requests.cpu", new Quantity("0"),
                                    "limits.cpu", new Quantity("0"),
                                    "requests.memory", new Quantity("0"),
                                    "limits.memory", new Quantity("0")))
                            .build());
                    return quota;
                });
        var app =
                "{name: app, image: app:1, resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 100m, memory: 64Mi}}}";

        // Until the API server has seen the quota's status it admits nothing.
        var admitted = await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> create(namespace, pod("spec: {containers: [" + app + "]}")), Objects::nonNull);

        assertThat(sidecarsOf(admitted)).hasSize(1);
        assertThatThrownBy(() -> create(
                        namespace,
                        pod(
                                "metadata: {name: big, annotations: {soloist.dev/inject: \"true\", soloist.dev/sidecar-memory: 2Gi}}\n"
                                        + "spec: {containers: [" + app + "]}")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("exceeded quota");
    }

    @Test
    void aRefusalReachesTheUserAsASentence() {
        assertThatThrownBy(() -> create(
                        namespace,
                        pod(
                                "metadata: {name: bad, annotations: {soloist.dev/inject: \"true\", soloist.dev/api-port: \"7\"}}\n"
                                        + "spec: {containers: [{name: app, image: app:1}]}")))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("annotation soloist.dev/api-port is \"7\" but must be a port from 1024 to 65535");
    }

    @Test
    void aPodWithAGeneratedNameIsInjected() {
        var pod = pod("metadata: {generateName: shop-, annotations: {soloist.dev/inject: \"true\"}}\n"
                + "spec: {containers: [{name: app, image: app:1}]}");
        pod.getMetadata().setName(null);

        assertThat(create(namespace, pod).getMetadata().getLabels()).containsEntry("soloist.dev/injected", "true");
    }

    @Test
    void anOrdinarySidecarIsAdmittedToo() {
        var pod = create(
                namespace,
                pod(
                        "metadata: {name: old, annotations: {soloist.dev/inject: \"true\", soloist.dev/native-sidecar: \"false\"}}\n"
                                + "spec: {containers: [{name: app, image: app:1}]}"));

        assertThat(pod.getSpec().getContainers())
                .extracting(Container::getName)
                .containsExactly("app", "soloist-sidecar");
    }

    private static Map<String, String> labels(Map<String, String> more) {
        var labels = new HashMap<>(LocalWebhook.LABELS);
        labels.putAll(more);
        return labels;
    }

    private static Pod pod(String yaml) {
        var pod = Serialization.unmarshal("apiVersion: v1\nkind: Pod\n" + yaml, Pod.class);
        if (pod.getMetadata() == null) {
            pod.setMetadata(new ObjectMetaBuilder()
                    .withName("shop")
                    .addToAnnotations("soloist.dev/inject", "true")
                    .build());
        }
        return pod;
    }

    private static Pod create(String namespace, Pod pod) {
        return ApiServer.admin().pods().inNamespace(namespace).resource(pod).create();
    }

    private static List<Container> sidecarsOf(Pod pod) {
        return pod.getSpec().getInitContainers().stream()
                .filter(container -> container.getName().equals(SidecarContainer.NAME))
                .toList();
    }

    /** A container without what the injector may add. */
    private static Container userParts(Container container) {
        container.getEnv().removeIf(variable -> variable.getName().startsWith("SOLOIST_"));
        container.getVolumeMounts().removeIf(mount -> mount.getName().equals(PodVolumes.TOKEN));
        return container;
    }
}
