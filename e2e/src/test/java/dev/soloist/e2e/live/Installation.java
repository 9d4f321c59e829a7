package dev.soloist.e2e.live;

import static dev.soloist.e2e.live.InjectedPod.Placement.NATIVE;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.testkit.RedisProcess;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All that a cluster would have: API server, Redis, operator, three pods with sidecars, and the Prometheus that scrapes them. */
final class Installation implements AutoCloseable {

    static final String NAMESPACE = "shop";

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Path folder;
    private final KubeApi kube;
    private final RedisProcess redis;
    private final SampleApp app;
    private final OperatorProcess operator;
    private final List<InjectedPod> pods = new ArrayList<>();
    private final List<SidecarProcess> sidecars = new ArrayList<>();
    private final PrometheusServer prometheus;

    /** Starts everything, and traffic that goes on until the end. */
    Installation(Path folder) throws IOException {
        this.folder = folder;
        try {
            kube = opened(new KubeApi(folder));
            kube.namespace(NAMESPACE);
            redis = opened(new RedisProcess().start());
            app = opened(new SampleApp());
            for (var name : List.of("shop-1", "shop-2", "shop-3")) {
                pods.add(new InjectedPod(kube.client(), NATIVE, NAMESPACE, name, RedisProcess.freePort()));
            }
            // After the pods: this API server cannot reach the webhook, so it would create none from now on.
            kube.apply("webhook/webhook.yaml");
            operator = opened(new OperatorProcess(folder, kube.kubeConfig(), redis.address()));
            kube.applyText(Manifests.read("jobs.yaml").replace("${port}", String.valueOf(app.port())));
            var store = storeFiles();
            for (var pod : pods) {
                sidecars.add(opened(new SidecarProcess(pod, folder, store)));
            }
            prometheus = opened(scraping());
            opened(new Traffic(sidecars.getFirst(), "reminders").start());
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    KubeApi kube() {
        return kube;
    }

    RedisProcess redis() {
        return redis;
    }

    SampleApp app() {
        return app;
    }

    OperatorProcess operator() {
        return operator;
    }

    List<InjectedPod> pods() {
        return pods;
    }

    List<SidecarProcess> sidecars() {
        return sidecars;
    }

    PrometheusServer prometheus() {
        return prometheus;
    }

    /** What the kubelet would mount: the Secret that the operator makes for the namespace. */
    private Map<StoreFile, String> storeFiles() {
        var secret = await("the Secret soloist-store, log of the operator: " + operator.logTail())
                .atMost(Duration.ofSeconds(90))
                .until(
                        () -> kube.client()
                                .resources(Secret.class)
                                .inNamespace(NAMESPACE)
                                .withName("soloist-store")
                                .get(),
                        Objects::nonNull);
        Map<StoreFile, String> files = new EnumMap<>(StoreFile.class);
        for (var file : StoreFile.values()) {
            var encoded = secret.getData().get(file.fileName());
            if (encoded != null) {
                files.put(file, new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    private PrometheusServer scraping() throws IOException {
        kube.apply("prometheus/operator_service.yaml");
        kube.endpoints("soloist-operator-metrics", operator.metricsPort());
        var discovery = new Discovery(kube.client(), folder);
        discovery.refresh();
        var monitors = new Monitors(discovery);
        return PrometheusServer.start(
                folder,
                new ObjectMapper()
                        .createArrayNode()
                        .add(monitors.ofPods(Monitors.read("sidecar_monitor.yaml")))
                        .add(monitors.ofService(Monitors.read("operator_monitor.yaml"))));
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    /** In reverse order, whatever breaks. */
    @Override
    public void close() throws IOException {
        var failed = new IOException("not everything ended in order");
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }
}
