package dev.soloist.e2e.live;

import static org.awaitility.Awaitility.await;

import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
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
import java.time.Duration;

/** A real API server with our CRDs; no kubelet, no controllers. */
final class KubeApi implements AutoCloseable {

    private final KubeAPIServer server = started();
    private final KubernetesClient client;
    private final Path kubeConfig;

    KubeApi(Path folder) {
        kubeConfig = folder.resolve("kubeconfig.yaml");
        try {
            Files.writeString(kubeConfig, server.getKubeConfigYaml());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        client = new KubernetesClientBuilder()
                .withConfig(patient(Config.fromKubeconfig(server.getKubeConfigYaml())))
                .withKubernetesSerialization(ApiSerialization.lenient())
                .build();
        apply("crd/bases/distributedjobs.soloist.dev-v1.yml");
        apply("crd/bases/lockpolicies.soloist.dev-v1.yml");
        namespace("soloist-system");
        // A kind that was made a moment ago is not served at once, and an operator without it does not start.
        await().atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> {
            client.resources(DistributedJob.class).inAnyNamespace().list();
            client.resources(LockPolicy.class).inAnyNamespace().list();
            return true;
        });
    }

    /** Its ports were free a moment ago, and may be somebody else's when it listens: then others are tried. */
    private static KubeAPIServer started() {
        for (int attempt = 1; ; attempt++) {
            var one = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                    .withOfflineMode(System.getenv("KUBE_API_TEST_DIR") != null)
                    .withStartupTimeout(120_000)
                    .withWaitForEtcdHealthCheckOnStartup(true)
                    .build());
            // Also when a constructor or a test breaks: the two processes would outlive this one.
            Runtime.getRuntime().addShutdownHook(new Thread(one::stop, "api-server-stop"));
            try {
                one.start();
                return one;
            } catch (KubeAPITestException failed) {
                stop(one);
                if (attempt == 3) {
                    throw failed;
                }
            }
        }
    }

    private static void stop(KubeAPIServer broken) {
        try {
            broken.stop();
        } catch (KubeAPITestException gone) {
            // It has ended by itself.
        }
    }

    private static Config patient(Config config) {
        config.setRequestTimeout(60_000);
        config.setConnectionTimeout(60_000);
        return config;
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
