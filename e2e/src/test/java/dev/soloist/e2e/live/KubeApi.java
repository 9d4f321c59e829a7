package dev.soloist.e2e.live;

import dev.soloist.crds.ApiSerialization;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.EndpointsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real API server with our CRDs; no kubelet, no controllers. */
final class KubeApi implements AutoCloseable {

    private final KubeAPIServer server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
            .withOfflineMode(System.getenv("KUBE_API_TEST_DIR") != null)
            .withStartupTimeout(180_000)
            .build());
    private final KubernetesClient client;
    private final Path kubeConfig;

    KubeApi(Path folder) {
        server.start();
        // Also when a constructor or a test breaks: the two processes would outlive this one.
        Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "api-server-stop"));
        kubeConfig = folder.resolve("kubeconfig.yaml");
        try {
            Files.writeString(kubeConfig, server.getKubeConfigYaml());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.getKubeConfigYaml()))
                .withKubernetesSerialization(ApiSerialization.lenient())
                .build();
        apply("crd/bases/distributedjobs.soloist.dev-v1.yml");
        apply("crd/bases/lockpolicies.soloist.dev-v1.yml");
        namespace("soloist-system");
    }

    KubernetesClient client() {
        return client;
    }

    /** A file with all rights. */
    Path kubeConfig() {
        return kubeConfig;
    }

    void namespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Applies a manifest below {@code config/}. */
    void apply(String file) {
        try {
            applyText(Files.readString(Path.of("../config", file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Applies what the YAML says, one object after another. */
    void applyText(String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(item -> client.resource(item).forceConflicts().serverSideApply());
    }

    /** What the endpoints controller would make of a Service of the operator with one port for metrics. */
    void endpoints(String service, int port) {
        client.resource(new EndpointsBuilder()
                        .withNewMetadata()
                        .withName(service)
                        .withNamespace("soloist-system")
                        .endMetadata()
                        .addNewSubset()
                        .addNewAddress()
                        .withIp("192.0.2.1")
                        .endAddress()
                        .addNewPort()
                        .withName("metrics")
                        .withPort(port)
                        .endPort()
                        .endSubset()
                        .build())
                .create();
    }

    @Override
    public void close() {
        client.close();
        server.stop();
    }
}
