package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Delayed tasks on a real kubelet: what was accepted outlives the pods that accepted it. */
class DelayedE2E {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int TASKS = 200;

    @Test
    void everyTaskTriggersNotEarlyThoughThePodsThatAcceptedItAreDeletedWithoutGrace() throws Exception {
        try (var stage = new Stage("delayed")) {
            stage.apply("""
                    apiVersion: soloist.dev/v1alpha1
                    kind: DistributedJob
                    metadata: {name: reminder, namespace: delayed}
                    spec:
                      selector: {matchLabels: {app: mail}}
                      trigger: {port: 8080, path: /tasks/reminder, timeout: 25s}
                      delayed: {visibilityTimeout: 30s, concurrency: 20}
                    """);
            stage.awaitStore();
            stage.app("mail", 3, 0.2);
            stage.kubectl("wait", "--for=condition=Ready", "--timeout=240s", "djob/reminder");
            List<String> pods = stage.pods("mail");
            Map<String, Instant> due = new HashMap<>();
            for (int pod = 0; pod < 2; pod++) {
                due.putAll(enqueue(stage, pods.get(pod), pod * TASKS / 2, TASKS / 2));
            }
            assertThat(due).hasSize(TASKS);

            stage.kubectl("delete", "pod", pods.get(0), pods.get(1), "--grace-period=0", "--force");

            await().atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(finished(stage.records("reminder")))
                            .as("tasks that ran; %s", stage.describe())
                            .containsAll(due.keySet()));
            List<RunRecord> records = stage.records("reminder");
            assertThat(records.stream()
                            .filter(RunRecord::isStart)
                            .filter(record ->
                                    record.at() < due.get(record.run()).toEpochMilli() / 1000.0))
                    .as("tasks that began early")
                    .isEmpty();
            assertOnlyCutRunsWereRepeated(records);
        }
    }

    /** Enqueues so many tasks, due one after the other over a minute, through the localhost API of one pod. */
    private static Map<String, Instant> enqueue(Stage stage, String pod, int first, int count) throws Exception {
        String body = IntStream.range(first, first + count)
                .mapToObj(i -> "{\"id\":\"task-%d\",\"delay\":\"%dms\",\"payload\":{\"n\":%d}}"
                        .formatted(i, 1000 + (i - first) * 59_000 / count, i))
                .collect(Collectors.joining(",", "[", "]"));
        Map<String, Instant> due = new HashMap<>();
        await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    String answer = stage.api(pod, "POST", "/v1/jobs/reminder/tasks", body);
                    assertThat(answer).startsWith("20");
                    for (JsonNode task : MAPPER.readTree(answer.substring(answer.indexOf(' ')))) {
                        due.put(
                                task.path("id").asText(),
                                Instant.parse(task.path("dueAt").asText()));
                    }
                });
        return due;
    }

    private static Set<String> finished(List<RunRecord> records) {
        return records.stream()
                .filter(record -> record.event().equals("done"))
                .map(RunRecord::run)
                .collect(Collectors.toSet());
    }

    /** At least once: a second run of a task is allowed where the first was cut or its pod was deleted under it. */
    private static void assertOnlyCutRunsWereRepeated(List<RunRecord> records) {
        Map<String, List<RunRecord>> byTask = records.stream().collect(Collectors.groupingBy(RunRecord::run));
        assertThat(byTask.values().stream()
                        .filter(events ->
                                events.stream().filter(RunRecord::isStart).count() > 1)
                        .filter(events -> events.stream()
                                .allMatch(event ->
                                        event.isStart() || event.event().equals("done")))
                        .filter(events ->
                                events.stream().map(RunRecord::pod).distinct().count() == 1))
                .as("tasks that ran twice though nothing happened to their pod")
                .isEmpty();
    }
}
