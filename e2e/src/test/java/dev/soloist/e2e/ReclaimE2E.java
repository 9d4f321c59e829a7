package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pod truth: containers that are seen to have terminated give up at once what they held, whatever the ttl. */
class ReclaimE2E {

    @Test
    void aPodWhoseContainersTerminatedLosesItsLeaseAndItsDelayedTasksLongBeforeTheTtl() {
        try (var stage = new Stage("reclaim")) {
            stage.apply("""
                    apiVersion: soloist.dev/v1alpha1
                    kind: LockPolicy
                    metadata: {name: slow, namespace: reclaim}
                    spec: {ttl: 5m, heartbeat: {enabled: true, every: 10s}, maxRunTime: 10m}
                    ---
                    apiVersion: soloist.dev/v1alpha1
                    kind: DistributedJob
                    metadata: {name: long, namespace: reclaim}
                    spec:
                      selector: {matchLabels: {app: bare}}
                      lockPolicy: slow
                      trigger: {port: 8080, path: /jobs/long, timeout: 5m}
                      singleton: {schedule: {every: 1s}}
                    ---
                    apiVersion: soloist.dev/v1alpha1
                    kind: DistributedJob
                    metadata: {name: later, namespace: reclaim}
                    spec:
                      selector: {matchLabels: {app: bare}}
                      trigger: {port: 8080, path: /tasks/later, timeout: 5m}
                      delayed: {visibilityTimeout: 30s}
                    """);
            stage.awaitStore();
            bare(stage, "one");
            stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "djob", "--all");
            await().atMost(Duration.ofSeconds(180))
                    .until(() -> starts(stage, "long").size() == 1);
            await().atMost(Duration.ofSeconds(180))
                    .untilAsserted(() -> assertThat(
                                    stage.api("one", "POST", "/v1/jobs/later/tasks", "{\"id\":\"t\",\"delay\":\"6s\"}"))
                            .startsWith("202"));
            bare(stage, "two");

            stage.kill9("one", "sidecar");
            stage.kill9("one", "app.py");

            String terminated = await().atMost(Duration.ofSeconds(180))
                    .pollInterval(Duration.ofMillis(100))
                    .until(
                            () -> stage.kubectl(
                                    "get",
                                    "pod",
                                    "one",
                                    "-o",
                                    "jsonpath={.status.containerStatuses[0].state.terminated.finishedAt}"),
                            text -> !text.isEmpty());
            double seen = Instant.now().toEpochMilli() / 1000.0;
            await().atMost(Duration.ofSeconds(120))
                    .pollInterval(Duration.ofMillis(200))
                    .untilAsserted(() -> assertThat(starts(stage, "long"))
                            .as("terminated at %s; %s", terminated, stage.describe())
                            .hasSizeGreaterThan(1));
            RunRecord second = starts(stage, "long").get(1);
            assertThat(second.pod()).isEqualTo("two");
            System.out.printf("the next run began %.1f s after the termination was seen%n", second.at() - seen);

            // On a slow machine it was due before the first pod died, and began there too.
            await().atMost(Duration.ofSeconds(180))
                    .until(() -> starts(stage, "later").stream()
                            .anyMatch(task -> task.pod().equals("two")));
            new Runs(stage.records("long")).assertOneAtATimeWithRisingFences();
        }
    }

    private static List<RunRecord> starts(Stage stage, String job) {
        return stage.records(job).stream().filter(RunRecord::isStart).toList();
    }

    /** A pod that is not restarted when its app ends, so that nothing but the operator can give up what it held. */
    private static void bare(Stage stage, String name) {
        stage.apply("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: reclaim
                  labels: {app: bare}
                  annotations: {soloist.dev/inject: "true"}
                spec:
                  restartPolicy: Never
                  containers:
                    - name: app
                      image: soloist-e2e-app:dev
                      imagePullPolicy: Never
                      command: [python3, -u, /scripts/app.py]
                      env: [{name: WORK_SECONDS, value: "300"}]
                      volumeMounts: [{name: scripts, mountPath: /scripts}]
                  volumes:
                    - {name: scripts, configMap: {name: scripts}}
                """.formatted(name));
        stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "pod/" + name);
    }
}
