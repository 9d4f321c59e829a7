package dev.soloist.operator;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.metrics.OperatorMetrics;
import dev.soloist.operator.testkit.ApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One replica of the operator in this JVM, with the rights of config/rbac and no others, on a real API server and a real Redis. */
public final class RunningOperator implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final KubernetesClient client;
    private final Path directory;
    private final Replica replica;
    private final RedisLink link;
    private final Store store;
    private final AtomicInteger halts = new AtomicInteger();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private RunningOperator(KubernetesClient client, String namespace, RedisProcess redis) {
        this(client, namespace, Map.of("address", redis.address()), redis.link(), ModeWish.SCRIPTED);
    }

    private RunningOperator(
            KubernetesClient client, String namespace, Map<String, String> files, RedisLink link, ModeWish wish) {
        this.client = client;
        this.directory = storeDirectory(files);
        var settings = new OperatorSettings(
                "operator-" + NUMBER.incrementAndGet(),
                namespace,
                Install.MAIN,
                "sidecar:test",
                "IfNotPresent",
                directory,
                0,
                "",
                0,
                Duration.ofSeconds(3),
                "");
        this.replica = new Replica(settings, client, new OperatorMetrics(registry), halts::incrementAndGet);
        this.link = link;
        this.store = new Store(new CoordinationStore(link, Install.MAIN, wish));
        replica.start();
    }

    /** With exactly the rights of config/rbac. */
    public static RunningOperator start(RedisProcess redis) {
        applyRights();
        return new RunningOperator(ApiServer.newOperator(), "soloist-system", redis);
    }

    /** On a server without scripts, which its Secret allows. */
    public static RunningOperator start(PikaStandIn pika) {
        applyRights();
        var files = Map.of("address", pika.address(), "minimumMode", "Cas");
        return new RunningOperator(
                ApiServer.newOperator(), "soloist-system", files, pika.link(), ModeWish.atLeast(DataMode.CAS));
    }

    private static void applyRights() {
        for (var file : new String[] {"service_account", "role", "role_binding", "own_namespace", "secret_policy"}) {
            ApiServer.applyConfig("rbac/" + file + ".yaml");
        }
    }

    /** As another installation's would be: with a Lease of its own, so that both lead. */
    public static RunningOperator startBesideAnother(RedisProcess redis) {
        return new RunningOperator(ApiServer.newAdmin(), ApiServer.newNamespace(), redis);
    }

    /** What the operator does in Redis, seen from outside. */
    public Store store() {
        return store;
    }

    /** Writes one file of the operator's own Secret, as the kubelet does when that changes. */
    public void storeFile(String file, String content) {
        try {
            Files.writeString(directory.resolve(file), content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    public int halts() {
        return halts.get();
    }

    public boolean leads() {
        return registry.scrape().contains("soloist_operator_leader 1.0");
    }

    public String metrics() {
        return registry.scrape();
    }

    @Override
    public void close() {
        replica.close();
        link.close();
        client.close();
    }

    private static Path storeDirectory(Map<String, String> files) {
        try {
            var directory = Files.createTempDirectory("soloist-store");
            for (var file : files.entrySet()) {
                Files.writeString(directory.resolve(file.getKey()), file.getValue());
            }
            return directory;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
