package dev.soloist.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each folder of examples/ as its README tells it: the same commands, and what the reader should see. */
class ExamplesE2E {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Cluster cluster = Cluster.get();

    @AfterEach
    void removeTheNamespace() {
        cluster.kubectl("-n", "shop", "delete", "djob", "--all", "--timeout=240s");
        cluster.kubectl("delete", "namespace", "shop", "--timeout=240s");
    }

    @Test
    void example01RunsOneAtATimeAndSurvivesTheDeletionOfThePodThatRanLast() {
        cluster.kubectl("apply", "-f", "/soloist/examples/01-singleton");
        cluster.kubectl("-n", "shop", "wait", "--for=condition=Ready", "djob/price-refresh", "--timeout=4m");
        cluster.kubectl("-n", "shop", "rollout", "status", "deployment/shop", "--timeout=4m");
        assertThat(cluster.kubectl("-n", "shop", "get", "pods", "--no-headers")).contains("2/2");
        awaitRuns(6);
        assertFencesRiseFromRunToRun();

        String last = await().atMost(Duration.ofSeconds(180))
                .until(
                        () -> cluster.kubectl(
                                "-n", "shop", "get", "djob", "price-refresh", "-o", "jsonpath={.status.lastRun.pod}"),
                        pod -> !pod.isEmpty());
        cluster.kubectl("-n", "shop", "delete", "pod", last);
        awaitRuns(6);
        assertFencesRiseFromRunToRun();

        cluster.kubectl(
                "-n",
                "shop",
                "patch",
                "djob",
                "price-refresh",
                "--type",
                "merge",
                "-p",
                "{\"spec\":{\"suspend\":true}}");
        cluster.kubectl("-n", "shop", "wait", "--for=condition=Suspended", "djob/price-refresh", "--timeout=240s");
    }

    @Test
    void example02DeliversEachTaskNotBeforeItIsDue() throws Exception {
        cluster.kubectl("apply", "-f", "/soloist/examples/02-delayed");
        cluster.kubectl("-n", "shop", "wait", "--for=condition=Ready", "djob/reminders", "--timeout=4m");
        cluster.kubectl("-n", "shop", "rollout", "status", "deployment/mailer", "--timeout=4m");
        Map<String, Instant> due = new HashMap<>();
        for (int i = 1; i <= 4; i++) {
            String id = "order-" + i;
            String code =
                    "from urllib.request import *; print(urlopen(Request('http://127.0.0.1:8080/enqueue?job=reminders&id="
                            + id + "&delay=" + 2 * i + "s', b'{}')).read().decode())";
            await().atMost(Duration.ofSeconds(180))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        String answer = cluster.tryKubectl(
                                "-n", "shop", "exec", "deployment/mailer", "-c", "app", "--", "python3", "-c", code);
                        assertThat(answer).contains("dueAt");
                        due.put(
                                id,
                                Instant.parse(
                                        MAPPER.readTree(answer).path("dueAt").asText()));
                    });
        }
        await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(events("app=mailer").stream()
                                .filter(event -> event.path("event").asText().equals("end"))
                                .map(event -> event.path("task").asText()))
                        .containsAll(due.keySet()));
    }

    private void awaitRuns(int more) {
        long before = ends();
        await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(ends())
                        .as("runs in the logs; %s", cluster.describe("shop"))
                        .isGreaterThanOrEqualTo(before + more));
    }

    private long ends() {
        return events("app=shop").stream()
                .filter(event -> event.path("event").asText().equals("end"))
                .count();
    }

    private void assertFencesRiseFromRunToRun() {
        List<String> fences = events("app=shop").stream()
                .filter(event -> event.path("event").asText().equals("start"))
                .sorted(Comparator.comparing(event -> event.path("fence").asText()))
                .map(event -> event.path("fence").asText())
                .toList();
        assertThat(fences).doesNotHaveDuplicates().allMatch(fence -> fence.matches("[0-9]{10}-[0-9]{16}"));
    }

    private List<JsonNode> events(String selector) {
        List<JsonNode> events = new ArrayList<>();
        for (String line :
                Cluster.lines(cluster.tryKubectl("-n", "shop", "logs", "-l", selector, "-c", "app", "--tail=-1"))) {
            if (line.startsWith("{")) {
                try {
                    events.add(MAPPER.readTree(line));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return events;
    }
}
