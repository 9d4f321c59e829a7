package dev.soloist.operator.testkit;

import static org.awaitility.Awaitility.await;

import dev.soloist.crds.ApiSerialization;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.crds.policy.LockPolicy;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One real API server for all tests of a JVM, with our CRDs; each test takes namespaces of its own. */
public final class ApiServer {

    private static final Path CONFIG = Path.of("../config");
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static final KubeAPIServer SERVER = start();
    private static final KubernetesClient ADMIN = client(Config.fromKubeconfig(SERVER.getKubeConfigYaml()));

    static {
        apply(CONFIG.resolve("crd/bases/distributedjobs.soloist.dev-v1.yml"));
        apply(CONFIG.resolve("crd/bases/lockpolicies.soloist.dev-v1.yml"));
        namespace("soloist-system", Map.of());
        awaitKinds();
    }

    private ApiServer() {}

    /** A client with all rights, for what users do. Shared: do not close. */
    public static KubernetesClient admin() {
        return ADMIN;
    }

    static String kubeconfig() {
        return SERVER.getKubeConfigYaml();
    }

    public static KubernetesClient newAdmin() {
        return client(Config.fromKubeconfig(SERVER.getKubeConfigYaml()));
    }

    /** One whose requests the interceptor sees first. */
    public static KubernetesClient newAdmin(Interceptor interceptor) {
        return builder(Config.fromKubeconfig(SERVER.getKubeConfigYaml()))
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("test", interceptor))
                .build();
    }

    /** A client with exactly the rights of the operator's service account. */
    public static KubernetesClient newOperator() {
        var config = Config.fromKubeconfig(SERVER.getKubeConfigYaml());
        config.setImpersonateUsername("system:serviceaccount:soloist-system:soloist-operator");
        config.setImpersonateGroups(
                "system:serviceaccounts", "system:serviceaccounts:soloist-system", "system:authenticated");
        return client(config);
    }

    public static String newNamespace() {
        return namespace("test-" + NAMESPACES.incrementAndGet(), Map.of());
    }

    public static String newNamespace(Map<String, String> labels) {
        return namespace("test-" + NAMESPACES.incrementAndGet(), labels);
    }

    /** Applies a file below `config/`. */
    public static void applyConfig(String file) {
        apply(CONFIG.resolve(file));
        awaitKinds();
    }

    /** A kind that was made or changed a moment ago is not served at once. */
    private static void awaitKinds() {
        await().atMost(Duration.ofSeconds(60))
                .pollInSameThread()
                .ignoreExceptions()
                .until(() -> {
                    ADMIN.resources(DistributedJob.class).inAnyNamespace().list();
                    ADMIN.resources(LockPolicy.class).inAnyNamespace().list();
                    return true;
                });
    }

    /** A file below `config/` as text. */
    public static String textOf(String file) {
        try {
            return Files.readString(CONFIG.resolve(file));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    public static List<HasMetadata> readConfig(String file) {
        try (var text = Files.newInputStream(CONFIG.resolve(file))) {
            return ADMIN.load(text).items();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static void apply(Path file) {
        try (var text = Files.newInputStream(file)) {
            ADMIN.load(text)
                    .items()
                    .forEach(item -> ADMIN.resource(item).forceConflicts().serverSideApply());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static String namespace(String name, Map<String, String> labels) {
        ADMIN.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    private static KubernetesClient client(Config config) {
        return builder(config).build();
    }

    private static KubernetesClientBuilder builder(Config config) {
        // A refusal is often the answer a test waits for, so it is not asked for long; a server that stalls has its
        // time.
        config.setRequestRetryBackoffLimit(3);
        config.setRequestTimeout(60_000);
        config.setConnectionTimeout(60_000);
        return new KubernetesClientBuilder().withConfig(config).withKubernetesSerialization(ApiSerialization.lenient());
    }

    private static KubeAPIServer start() {
        for (int attempt = 1; ; attempt++) {
            var server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                    .withOfflineMode(true)
                    .withStartupTimeout(120_000)
                    .withWaitForEtcdHealthCheckOnStartup(true)
                    .build());
            Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
            try {
                server.start();
                return server;
            } catch (KubeAPITestException failed) {
                stop(server);
                // Its ports were free a moment ago, and may be somebody else's when it listens.
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
}
