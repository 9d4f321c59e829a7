package dev.soloist.operator;

import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.crds.ApiSerialization;
import dev.soloist.operator.health.HealthServer;
import dev.soloist.operator.leader.LeaderWatch;
import dev.soloist.operator.metrics.OperatorMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts one replica of the operator, and stops it in order: first it is not ready any more, then it leads no more,
/// last the webhook ends.
public final class OperatorMain {

    private static final Logger LOGGER = LoggerFactory.getLogger(OperatorMain.class);

    /// Endpoints of the webhook's Service are taken out of use while the process still answers.
    private static final Duration DRAIN = Duration.ofSeconds(3);

    private volatile boolean stopping;

    private OperatorMain() {}

    /// Runs until it is told to stop. With `--train` it only loads what a start needs and returns: the image build
    /// makes its class cache so.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 1 && arguments[0].equals("--train")) {
            Training.run();
            return;
        }
        new OperatorMain().run(OperatorSettings.read(System.getenv()));
    }

    private void run(OperatorSettings settings) throws IOException {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var metrics = new OperatorMetrics(registry);
        var client = client();
        var webhook = settings.webhookConfiguration().isEmpty() ? null : new Webhook(settings, client, metrics);
        var replica = new Replica(
                settings, client, metrics, () -> Runtime.getRuntime().halt(1));
        metrics.watch(replica::isStoreUp, () -> webhook == null ? 0 : webhook.certificateExpiry(), replica.tally());
        var leaderWatch = new LeaderWatch(client, settings.namespace());
        var watchLoop = new BackgroundLoop("leader-watch", leaderWatch::runOnce, error -> {}).start();
        var health = HealthServer.start(
                new InetSocketAddress(settings.metricsPort()),
                registry,
                new HealthServer.Probes(
                        leaderWatch::isHealthy,
                        () -> !stopping && replica.isStarted() && (webhook == null || webhook.isReady()),
                        replica::isStarted));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stop(replica);
                            if (webhook != null) {
                                webhook.close();
                            }
                            watchLoop.close();
                            health.close();
                            client.close();
                            Runtime.getRuntime().halt(0);
                        },
                        "shutdown"));
        replica.start();
        LOGGER.atInfo().addKeyValue("install", settings.install().name()).log("the operator is up");
    }

    private void stop(Replica replica) {
        stopping = true;
        try {
            Thread.sleep(DRAIN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        replica.close();
    }

    static KubernetesClient client() {
        var config = new ConfigBuilder(Config.autoConfigure(null))
                .withRequestRetryBackoffLimit(5)
                .withUserAgent("soloist-operator")
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(ApiSerialization.lenient())
                .build();
    }
}
