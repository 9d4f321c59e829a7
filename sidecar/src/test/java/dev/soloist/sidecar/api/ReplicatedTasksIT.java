package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.ReplicatedRedis;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.OwnTime;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an app is told about a task that has to be on a replica before it counts. */
class ReplicatedTasksIT {

    private static final Durability.Replicated ONE = new Durability.Replicated(1, Duration.ofMillis(200));

    private ReplicatedRedis redis;
    private Board board;
    private TestApp app;
    private TestPod pod;

    @BeforeEach
    void start() {
        redis = new ReplicatedRedis();
        board = new Board(redis.primary);
        app = new TestApp();
        pod = new TestPod("a", redis.primary.port());
        board.offer(job(), pod);
    }

    @AfterEach
    void end() {
        redis.replica.pause(false);
        pod.close();
        app.close();
        board.close();
        redis.close();
    }

    private JobDefinition job() {
        return Jobs.withPolicy(
                Jobs.delayed("mail", app.port(), work -> work),
                Jobs.policy(Jobs.HELD).with(ONE));
    }

    private HttpResponse<String> enqueue(String json, String key) {
        return pod.post("/v1/jobs/mail/tasks", json, "Idempotency-Key", key);
    }

    /** A replica that is slow for a moment is asked again. */
    private void awaitAccepted(String json, String key) {
        await().until(() -> enqueue(json, key).statusCode() == 202);
    }

    private double unacknowledged() {
        return pod.metric("soloist_tasks_enqueued_total{djob=\"mail\",outcome=\"unacknowledged\"}");
    }

    @Test
    void aTaskThatNoReplicaAcknowledgesIsNotToldAsAcceptedAndMayBeRepeated() {
        awaitAccepted("{\"id\":\"first\",\"delay\":\"1h\"}", "k1");
        double before = unacknowledged();
        redis.replica.pause(true);

        var missed = enqueue("{\"id\":\"second\",\"delay\":\"200ms\"}", "k2");

        assertThat(missed.statusCode()).isEqualTo(503);
        assertThat(missed.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(missed.body())
                .contains("https://soloist.dev/problems/not-replicated", "may have been accepted", "Idempotency-Key");
        assertThat(unacknowledged()).isEqualTo(before + 1);
        assertThat(enqueue("{\"id\":\"second\",\"delay\":\"200ms\"}", "k2").statusCode())
                .as("a repeat is no acknowledgement either")
                .isEqualTo(503);

        redis.replica.pause(false);

        await().until(() ->
                enqueue("{\"id\":\"second\",\"delay\":\"200ms\"}", "k2").body().contains("\"duplicate\""));
        await().until(() -> app.calls().size() == 1);
        assertThat(app.calls().getFirst().header("Soloist-Task")).isEqualTo("second");
    }

    @Test
    void anArrayWaitsForMissingReplicasOnceAndNotForEachTask() {
        redis.replica.pause(true);
        var array = new StringBuilder("[{\"delay\":5}");
        for (int i = 0; i < 30; i++) {
            array.append(",{\"id\":\"t").append(i).append("\",\"delay\":\"1h\"}");
        }
        long sent = OwnTime.nanos();

        var answer = enqueue(array.append("]").toString(), "k");

        assertThat(OwnTime.since(sent)).isLessThan(Duration.ofSeconds(5));
        assertThat(answer.statusCode()).isEqualTo(207);
        assertThat(answer.body().split("problems/not-replicated", -1)).hasSize(31);
        assertThat(answer.body()).contains("problems/invalid-task");
        redis.replica.pause(false);

        await().until(() -> enqueue(array.toString(), "k").body().split("\"dueAt\"", -1).length == 31);
    }

    @Test
    void f01_everyTaskThatWasToldAsAcceptedEndsAlsoWhenItsPrimaryIsLost() {
        redis.chained();
        var accepted = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            var task = "{\"id\":\"t" + i + "\",\"delay\":\"6s\"}";
            if (i < 50) {
                awaitAccepted(task, "k" + i);
                accepted.add("t" + i);
            } else {
                redis.network.hang();
                assertThat(enqueue(task, "k" + i).statusCode()).isEqualTo(503);
            }
        }
        pod.link.cut();
        redis.promote();
        try (var survivor = new TestPod("b", redis.replica.port());
                var after = new Board(redis.replica)) {
            after.offer(job(), survivor);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(app.calls().stream().map(call -> call.header("Soloist-Task")))
                            .containsAll(accepted));
            assertThat(after.queue(job()).inspect(TaskId.of("t55"))).isEmpty();
        }
    }
}
