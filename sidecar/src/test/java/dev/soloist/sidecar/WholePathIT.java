package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WholePathIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void aSingletonRunsAgainAndAgainWithRisingFences() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton("report", app.port(), Duration.ofMillis(200), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);

            await().until(() -> app.calls().size() >= 5);

            var fences = app.calls().stream()
                    .map(call -> call.header("Soloist-Fence"))
                    .toList();
            assertThat(fences).isSorted().doesNotHaveDuplicates();
            assertThat(app.calls().getFirst().header("Soloist-Run")).startsWith("report/1/");
            assertThat(app.calls().getFirst().header("Authorization"))
                    .isEqualTo(pod.sidecar().authorization());
            await().until(() -> pod.metric("soloist_runs_total{djob=\"report\",result=\"succeeded\"}") >= 4);
        }
    }

    @Test
    void aTaskEnqueuedByTheAppComesBackToItWhenItIsDue() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            long sent = System.nanoTime();
            var answer =
                    pod.post("/v1/jobs/mail/tasks", "{\"id\":\"t1\",\"delay\":\"500ms\",\"payload\":{\"to\": 1.50}}");

            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.body()).contains("\"id\":\"t1\"").contains("\"outcome\":\"created\"");
            var due = answer.body().replaceAll(".*\"dueAt\":\"([^\"]*)\".*", "$1");
            assertThat(pod.get("/v1/jobs/mail").body()).contains("\"head\":\"" + due + "\"");
            await().until(() -> app.calls().size() == 1);
            var call = app.calls().getFirst();
            assertThat(call.body).isEqualTo("{\"to\": 1.50}");
            assertThat(call.header("Soloist-Task")).isEqualTo("t1");
            assertThat(Duration.ofNanos(call.startNanos - sent)).isGreaterThan(Duration.ofMillis(490));
            await().until(() -> pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}") == 1);
        }
    }

    @Test
    void manyTasksAreEachDeliveredByOneOfThePods() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            board.assign("b", job);
            await().until(() -> a.get("/v1/jobs/mail").statusCode() == 200
                    && b.get("/v1/jobs/mail").statusCode() == 200);

            var ids = new HashSet<String>();
            for (int i = 0; i < 100; i++) {
                var pod = i % 2 == 0 ? a : b;
                assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":\"t" + i + "\",\"delay\":\"" + i * 5 + "ms\"}")
                                .statusCode())
                        .isEqualTo(202);
                ids.add("t" + i);
            }

            await().until(() -> app.calls().size() >= 100);
            assertThat(app.calls().stream().map(call -> call.header("Soloist-Task")))
                    .containsExactlyInAnyOrderElementsOf(ids);
        }
    }
}
