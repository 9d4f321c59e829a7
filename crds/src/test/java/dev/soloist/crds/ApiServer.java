package dev.soloist.crds;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One real API server for all tests of this JVM, with the manifests of `config/crd` applied by kubectl. Starts at
/// the first use and ends with the JVM.
final class ApiServer {

    private static final String FOLDER = "KUBE_API_TEST_DIR";

    private static @Nullable ApiServer running;

    private final KubeAPIServer server;
    private final KubernetesClient client;
    private final Path kubectl;
    private final Path kubeConfig;

    private ApiServer() throws IOException {
        kubectl = binaries().resolve("kubectl");
        server = started();
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "api-server-stop"));
        client = new KubernetesClientBuilder()
                .withConfig(patient(Config.fromKubeconfig(server.getKubeConfigYaml())))
                .withKubernetesSerialization(ApiSerialization.lenient())
                .build();
        kubeConfig = Files.createTempFile("kubeconfig", ".yaml");
        Files.writeString(kubeConfig, server.getKubeConfigYaml());
        install();
    }

    /// Its ports were free a moment ago, and may be somebody else's when it listens: then others are tried.
    private static KubeAPIServer started() {
        for (int attempt = 1; ; attempt++) {
            var one = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                    .withOfflineMode(true)
                    .withStartupTimeout(120_000)
                    .withWaitForEtcdHealthCheckOnStartup(true)
                    .build());
            Runtime.getRuntime().addShutdownHook(new Thread(one::stop, "processes-stop"));
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

    /// Throws with what is missing if the server cannot be started; each test that asks is told.
    static synchronized ApiServer running() {
        if (running == null) {
            try {
                running = new ApiServer();
            } catch (IOException e) {
                throw new IllegalStateException("the API server could not be prepared", e);
            }
        }
        return running;
    }

    KubernetesClient client() {
        return client;
    }

    /// A namespace of its own for a test.
    String newNamespace() {
        var namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withGenerateName("crds-")
                .endMetadata()
                .build();
        return client.resource(namespace).create().getMetadata().getName();
    }

    /// What kubectl answers, on both of its outputs.
    Answer kubectl(String... arguments) {
        try {
            var command = new ArrayList<>(List.of(kubectl.toString(), "--kubeconfig", kubeConfig.toString()));
            command.addAll(List.of(arguments));
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var text = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("kubectl did not end: " + command);
            }
            return new Answer(process.exitValue(), text);
        } catch (IOException e) {
            throw new IllegalStateException("kubectl could not be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kubectl ran", e);
        }
    }

    record Answer(int exitCode, String text) {}

    private void install() {
        var applied = kubectl("apply", "-k", "../config/crd");
        if (applied.exitCode() != 0) {
            throw new IllegalStateException("kubectl apply -k config/crd failed: " + applied.text());
        }
        var established = kubectl(
                "wait",
                "--for=condition=Established",
                "--timeout=60s",
                "crd/distributedjobs.soloist.dev",
                "crd/lockpolicies.soloist.dev");
        if (established.exitCode() != 0) {
            throw new IllegalStateException("the CRDs were not established: " + established.text());
        }
    }

    private void stop() {
        client.close();
        try {
            Files.deleteIfExists(kubeConfig);
        } catch (IOException e) {
            kubeConfig.toFile().deleteOnExit();
        }
    }

    private static Path binaries() throws IOException {
        var folder = System.getenv(FOLDER);
        if (folder == null || !Files.isDirectory(Path.of(folder, "k8s"))) {
            throw new IllegalStateException("These tests need kube-apiserver, etcd and kubectl in $" + FOLDER
                    + "/k8s/<version>-<os>-<arch>; " + FOLDER + " is " + folder);
        }
        try (var versions = Files.list(Path.of(folder, "k8s"))) {
            return versions.max(Path::compareTo)
                    .orElseThrow(() -> new IllegalStateException("$" + FOLDER + "/k8s is empty"));
        }
    }
}
