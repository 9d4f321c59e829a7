package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.shard.Homes;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of the shards of one job some do not answer. */
@Timeout(240)
class SilentShardIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SHARDS = 8;
    private static final int TASKS = 40;

    @Test
    void f08_anArrayIsAnsweredTaskByTaskWhileOnePrimaryIsAway() {
        try (var group = new ClusterGroup(0).start();
                var board = new Board(group.link());
                var app = new TestApp();
                var sidecar = new ChildSidecar(
                        "a", Map.of(StoreFile.ADDRESS, group.address(), StoreFile.TOPOLOGY, "Cluster"))) {
            group.nodes().forEach(node -> group.ask(node, "CONFIG", "SET", "cluster-require-full-coverage", "no"));
            var job = board.publish(Jobs.delayed("mail", app.port(), work -> work.withShards(SHARDS)), Duration.ZERO);
            board.assign(sidecar.uid, job);
            // Once it takes part everywhere.
            await().atMost(PATIENCE)
                    .until(() -> enqueue(sidecar, "w")
                            .filter(all -> all.statusCode() == 202)
                            .isPresent());
            var first = group.ownerOf(tasks(board, job, 0));
            var away = group.nodes().stream()
                    .filter(node -> !node.equals(first))
                    .findFirst()
                    .orElseThrow();

            var silent = IntStream.range(0, TASKS)
                    .filter(i -> group.ownerOf(tasks(board, job, Homes.of(TaskId.of("t" + i), SHARDS)))
                            .equals(away))
                    .boxed()
                    .collect(Collectors.toSet());
            assertThat(silent).hasSizeBetween(5, TASKS - 5);

            away.pause(true);
            try {
                await().atMost(PATIENCE).untilAsserted(() -> {
                    var answer = enqueue(sidecar, "t").orElseThrow();
                    assertThat(answer.statusCode()).isEqualTo(207);
                    for (int i = 0; i < TASKS; i++) {
                        var one = json(answer).path(i);
                        if (silent.contains(i)) {
                            assertThat(one.path("status").asInt()).isEqualTo(503);
                            assertThat(one.path("type").asText()).endsWith("store-unavailable");
                            assertThat(one.path("detail").asText()).contains("repeat it with the same id");
                        } else {
                            assertThat(one.path("id").asText()).isEqualTo("t" + i);
                        }
                    }
                });
            } finally {
                away.pause(false);
            }

            await().atMost(PATIENCE)
                    .until(() -> enqueue(sidecar, "t")
                            .filter(all -> all.statusCode() == 202)
                            .isPresent());
        }
    }

    private static Optional<HttpResponse<String>> enqueue(ChildSidecar sidecar, String prefix) {
        var body = IntStream.range(0, TASKS)
                .mapToObj(i -> "{\"id\":\"%s%d\",\"delay\":\"1h\"}".formatted(prefix, i))
                .collect(Collectors.joining(",", "[", "]"));
        return sidecar.send("POST", "/v1/jobs/mail/tasks", body);
    }

    private static String tasks(Board board, JobDefinition job, int shard) {
        return board.keys.ofShard(shard).tasks(job.id());
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return new ObjectMapper().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
