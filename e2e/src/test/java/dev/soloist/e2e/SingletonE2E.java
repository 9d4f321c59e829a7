package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A singleton job on a real kubelet, through everything that happens to pods. */
class SingletonE2E {

    private static final String JOB = "tick";

    @Test
    void oneRunAtATimeWithRisingFencesThroughEverythingThatHappensToPods() {
        try (var stage = new Stage("singleton")) {
            stage.app("shop", 3, 0.5);
            assertThat(stage.kubectl("get", "pods", "-l", "app=shop,soloist.dev/injected=true", "-o", "name")
                            .lines())
                    .hasSize(3);
            stage.apply("""
                    apiVersion: soloist.dev/v1alpha1
                    kind: LockPolicy
                    metadata: {name: quick, namespace: singleton}
                    spec:
                      ttl: 6s
                      heartbeat: {enabled: true, every: 2s}
                      watchdog: {every: 1s, grace: 1s}
                      maxRunTime: 30s
                    ---
                    apiVersion: soloist.dev/v1alpha1
                    kind: DistributedJob
                    metadata: {name: tick, namespace: singleton}
                    spec:
                      selector: {matchLabels: {app: shop}}
                      lockPolicy: quick
                      trigger: {port: 8080, path: /jobs/tick, timeout: 20s}
                      singleton: {schedule: {every: 2s}}
                    """);
            stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "djob/tick");
            awaitMoreRuns(stage, 5);

            stage.kubectl("delete", "pod", holder(stage), "--wait=false");
            awaitMoreRuns(stage, 5);

            stage.kill9(holder(stage), "sidecar");
            awaitMoreRuns(stage, 5);

            stage.kill9(holder(stage), "app.py");
            awaitMoreRuns(stage, 5);

            stage.kubectl("rollout", "restart", "deployment/shop");
            stage.awaitRollout("shop");
            awaitMoreRuns(stage, 5);

            Cluster.get()
                    .kubectl(
                            "-n",
                            "soloist-system",
                            "rollout",
                            "restart",
                            "deployment",
                            "-l",
                            "app.kubernetes.io/name=soloist-operator");
            awaitMoreRuns(stage, 5);

            withoutRedis(Duration.ofSeconds(20));
            awaitMoreRuns(stage, 10);
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> new Runs(stage.records(JOB)).seconds() >= 120);

            var runs = new Runs(stage.records(JOB));
            runs.assertOneAtATimeWithRisingFences();
            assertThat(runs.done()).isGreaterThan(35);
            readsWell(stage);
        }
    }

    /** What a person sees who asks kubectl. */
    private static void readsWell(Stage stage) {
        assertThat(stage.kubectl("get", "djob", JOB))
                .containsSubsequence("NAME", "TYPE", "SCHEDULE", "PODS", "READY", "LAST RUN", "NEXT RUN", "AGE")
                .contains("Singleton", "every 2s", "True");
        assertThat(stage.kubectl("describe", "djob", JOB)).contains("Last Run", "Next Run", "Events");
    }

    private static void awaitMoreRuns(Stage stage, int more) {
        int before = new Runs(stage.records(JOB)).done();
        await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(new Runs(stage.records(JOB)).done())
                        .as("runs done; %s", stage.describe())
                        .isGreaterThanOrEqualTo(before + more));
    }

    /** The pod of the run that is open now. */
    private static String holder(Stage stage) {
        return await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> openPod(stage.records(JOB)), pod -> !pod.isEmpty());
    }

    private static String openPod(List<RunRecord> records) {
        return !records.isEmpty() && records.getLast().isStart()
                ? records.getLast().pod()
                : "";
    }

    private static void withoutRedis(Duration time) {
        Cluster cluster = Cluster.get();
        cluster.run("bash", "-c", "kill -STOP $(pgrep -x redis-server)");
        try {
            cluster.run("sleep", String.valueOf(time.toSeconds()));
        } finally {
            cluster.run("bash", "-c", "kill -CONT $(pgrep -x redis-server)");
        }
    }
}
