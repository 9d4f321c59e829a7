package dev.soloist.e2e.live;

import static dev.soloist.e2e.live.InjectedPod.Placement.NATIVE;
import static dev.soloist.e2e.live.InjectedPod.Placement.ORDINARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus finds, by our monitors and a real API server, what the injector writes. Sidecars and operator are played. */
@Tag("api")
@Tag("prometheus")
class MonitorsIT {

    private static KubeApi kube;
    private static HttpServer played;
    private static PrometheusServer prometheus;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        kube = new KubeApi(folder);
        kube.namespace("shop");
        played = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        played.createContext("/metrics", exchange -> {
            var text = "soloist_jobs{kind=\"singleton\"} 1\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        played.start();
        int port = played.getAddress().getPort();
        new InjectedPod(kube.client(), NATIVE, "shop", "with-native", port);
        new InjectedPod(kube.client(), ORDINARY, "shop", "with-ordinary", port);
        new InjectedPod(kube.client(), NATIVE, "shop", "ended", port).reportTerminated();
        kube.apply("prometheus/operator_service.yaml");
        kube.endpoints("soloist-operator-metrics", port);
        var discovery = new Discovery(kube.client(), folder);
        discovery.refresh();
        var monitors = new Monitors(discovery);
        prometheus = PrometheusServer.start(
                folder,
                new ObjectMapper()
                        .createArrayNode()
                        .add(monitors.ofPods(Monitors.read("sidecar_monitor.yaml")))
                        .add(monitors.ofService(Monitors.read("operator_monitor.yaml"))));
    }

    @AfterAll
    static void end() {
        if (prometheus != null) {
            prometheus.close();
        }
        if (played != null) {
            played.stop(0);
        }
        if (kube != null) {
            kube.close();
        }
    }

    @Test
    void thePortOfANativeSidecarIsFoundThoughItBelongsToAnInitContainer() {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(value("soloist_jobs{pod=\"with-native\", namespace=\"shop\","
                                + " container=\"soloist-sidecar\", job=\"soloist-system/soloist-sidecar\"}"))
                        .isEqualTo(1));
    }

    @Test
    void thePortOfAnOrdinarySidecarIsFoundByTheSameMonitor() {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() ->
                        assertThat(value("soloist_jobs{pod=\"with-ordinary\"}")).isEqualTo(1));
    }

    @Test
    void nothingElseOfThePodsIsScraped() {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(value("count(up{job=\"soloist-system/soloist-sidecar\"})"))
                        .isEqualTo(2));
    }

    @Test
    void theOperatorIsFoundThroughItsService() {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(
                                value("soloist_jobs{job=\"soloist-operator-metrics\", namespace=\"soloist-system\"}"))
                        .isEqualTo(1));
    }

    private static double value(String query) {
        JsonNode result = prometheus.query(query);
        assertThat(result)
                .as(query + "\n" + prometheus.activeTargets().toPrettyString())
                .hasSize(1);
        return result.get(0).path("value").get(1).asDouble();
    }
}
