package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The control plane is away: what has been seeded goes on by the sidecars alone, and a leader comes back by itself. */
class OutageE2E {

    private static final Duration OUTAGE = Duration.ofSeconds(60);

    @Test
    void t02_jobsGoOnWithoutAnApiServerAndALeaderIsThereAgainAfterItsReturn() {
        Cluster cluster = Cluster.get();
        try (var stage = new Stage("outage")) {
            stage.apply("""
                    apiVersion: soloist.dev/v1alpha1
                    kind: DistributedJob
                    metadata: {name: steady, namespace: outage}
                    spec:
                      selector: {matchLabels: {app: steady}}
                      trigger: {port: 8080, path: /jobs/steady, timeout: 20s}
                      singleton: {schedule: {every: 2s}}
                    """);
            stage.awaitStore();
            stage.app("steady", 2, 0.3);
            await().atMost(Duration.ofSeconds(180))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> new Runs(stage.records("steady")).done() >= 3);

            Instant begin = Instant.now();
            cluster.run("bash", "-c", "kill -STOP $(pgrep -f ^kube-apiserver)");
            try {
                cluster.run("sleep", String.valueOf(OUTAGE.toSeconds()));
            } finally {
                cluster.run("bash", "-c", "kill -CONT $(pgrep -f ^kube-apiserver)");
            }
            Instant end = Instant.now();

            await().atMost(Duration.ofSeconds(180))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(renewed(cluster)).isAfter(end));
            System.out.printf(
                    "a leader renewed %d s after the return%n",
                    Duration.between(end, Instant.now()).toSeconds());
            // What the recorder noted is read through the API server, which has much to do now.
            await().atMost(Duration.ofSeconds(180))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(stage.records("steady").stream()
                                    .filter(RunRecord::isStart)
                                    .filter(run ->
                                            run.at() > begin.getEpochSecond() + 5 && run.at() < end.getEpochSecond()))
                            .as("runs that began while the API server was away, of 27 that were due")
                            .hasSizeGreaterThan(8));
            new Runs(stage.records("steady")).assertOneAtATimeWithRisingFences();
            cluster.awaitInstalled();
        }
    }

    /** When the leader last renewed its Lease. */
    private static Instant renewed(Cluster cluster) {
        String time = cluster.kubectl(
                "-n",
                "soloist-system",
                "get",
                "lease",
                "-o",
                "jsonpath={.items[?(@.spec.holderIdentity)].spec.renewTime}");
        return time.isBlank() ? Instant.EPOCH : Instant.parse(time.strip().split(" ")[0]);
    }
}
