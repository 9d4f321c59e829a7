package dev.soloist.operator;

import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.ModeWish;
import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.store.CoordinationStore;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.coordination.testkit.pika.PikaStandIn;
import dev.soloist.crds.job.DistributedJob;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.leader.Leadership;
import dev.soloist.operator.leader.Pace;
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

/**
 * One replica of the operator in this JVM, with the rights of config/rbac and no others, on a real API server and a real Redis. Its
 * leadership outlasts stalls of the machine, and a deletion waits for the store through them, unless a test means otherwise.
 */
public final class RunningOperator implements AutoCloseable {

    /** A stall of half a minute costs no leadership. A replica that could not give its Lease back is still followed within a test. */
    private static final Pace CALM = new Pace(Duration.ofSeconds(45), Duration.ofSeconds(40), Duration.ofSeconds(1));

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final KubernetesClient client;
    private final Path directory;
    private final Replica replica;
    private final RedisLink link;
    private final Store store;
    private final AtomicInteger halts = new AtomicInteger();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private RunningOperator(
            KubernetesClient client, String namespace, RedisProcess redis, Pace pace, Duration deletionTimeout) {
        this(
                client,
                namespace,
                Map.of("address", redis.address()),
                redis.link(),
                ModeWish.SCRIPTED,
                pace,
                deletionTimeout);
    }

    private RunningOperator(
            KubernetesClient client,
            String namespace,
            Map<String, String> files,
            RedisLink link,
            ModeWish wish,
            Pace pace,
            Duration deletionTimeout) {
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
                deletionTimeout,
                "");
        this.replica = new Replica(settings, client, new OperatorMetrics(registry), halts::incrementAndGet, pace);
        this.link = link;
        this.store = new Store(new CoordinationStore(link, Install.MAIN, wish));
        replica.start();
    }

    /** With exactly the rights of config/rbac. */
    public static RunningOperator start(RedisProcess redis) {
        return start(redis, CALM);
    }

    /** One that takes part in the election at another pace. */
    public static RunningOperator start(RedisProcess redis, Pace pace) {
        applyRights();
        return new RunningOperator(ApiServer.newOperator(), "soloist-system", redis, pace, PATIENCE);
    }

    /** One that gives up a store that is away when a job is deleted, after that time. */
    public static RunningOperator start(RedisProcess redis, Duration deletionTimeout) {
        applyRights();
        return new RunningOperator(ApiServer.newOperator(), "soloist-system", redis, CALM, deletionTimeout);
    }

    /** On a server without scripts, which its Secret allows. */
    public static RunningOperator start(PikaStandIn pika) {
        applyRights();
        var files = Map.of("address", pika.address(), "minimumMode", "Cas");
        return new RunningOperator(
                ApiServer.newOperator(),
                "soloist-system",
                files,
                pika.link(),
                ModeWish.atLeast(DataMode.CAS),
                CALM,
                PATIENCE);
    }

    private static void applyRights() {
        for (var file : new String[] {"service_account", "role", "role_binding", "own_namespace", "secret_policy"}) {
            ApiServer.applyConfig("rbac/" + file + ".yaml");
        }
        awaitRights();
    }

    /** The API server learns of a binding a moment after it was made, and an operator without its rights does not start. */
    private static void awaitRights() {
        try (var client = ApiServer.newOperator()) {
            await("the rights of config/rbac")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> {
                        client.resources(DistributedJob.class).inAnyNamespace().list();
                        client.leases()
                                .inNamespace("soloist-system")
                                .withName(Leadership.LEASE)
                                .get();
                        return true;
                    });
        }
    }

    /** As another installation's would be: with a Lease of its own, so that both lead. */
    public static RunningOperator startBesideAnother(RedisProcess redis) {
        return new RunningOperator(ApiServer.newAdmin(), ApiServer.newNamespace(), redis, CALM, PATIENCE);
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
