package dev.soloist.sidecar.delayed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sidecars whose tasks go through a stream, while that stream, or a pod, or the definition is taken from under them. */
class StreamFaultsIT {

    private static final Transport.Stream STREAM = new Transport.Stream(Duration.ofHours(1), 10_000);
    private static final String LOST = "soloist_stream_losses{djob=\"mail\"}";
    private static final String ACKED = "soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static JobDefinition job(TestApp app, Duration visibility, Transport transport) {
        return Jobs.delayed(
                "mail", app.port(), work -> ((DelayedWork) Jobs.withVisibility(work, visibility)).with(transport));
    }

    private static TestPod takesPart(Board board, TestPod pod, JobDefinition job) {
        board.assign(pod.uid, job);
        await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        return pod;
    }

    private static void enqueue(TestPod pod, int from, int to) {
        var body = IntStream.range(from, to)
                .mapToObj("{\"id\":\"t%03d\",\"delay\":\"0\"}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(pod.post("/v1/jobs/mail/tasks", body).statusCode()).isEqualTo(202);
    }

    private static Set<String> tasksOf(TestApp app) {
        return app.calls().stream().map(call -> call.header("Soloist-Task")).collect(Collectors.toSet());
    }

    private static double sum(List<TestPod> pods, String metric) {
        return pods.stream().mapToDouble(pod -> pod.metric(metric)).sum();
    }

    @Test
    void f13_aStreamThatIsDeletedUnderLoadStopsNobodyAndFillsNoLog() {
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.taking(Duration.ofMillis(20)))) {
            var job = job(app, Duration.ofSeconds(20), STREAM);
            board.publish(job, Duration.ZERO);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), job);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), job)) {
                for (int round = 0; round < 10; round++) {
                    enqueue(a, round * 50, round * 50 + 50);
                    board.link.call("DEL", board.keys.taskStream(job.id()));
                }
                await().atMost(PATIENCE).until(() -> sum(List.of(a, b), ACKED) == 500);
                // Nothing was delivered twice: only the history is gone.
                assertThat(app.calls()).hasSize(500);
                assertThat(tasksOf(app)).hasSize(500);
                await().until(() -> a.metric(LOST) >= 1);
                assertThat(a.loopErrors() + b.loopErrors()).isZero();
            }
        }
    }

    @Test
    void r06_whatAPodHeldWhenItWasKilledIsDeliveredByAnotherAndItsConsumerGoes() {
        try (var board = new Board(REDIS);
                var slow = new TestApp().does(TestApp.taking(Duration.ofMinutes(5)));
                var app = new TestApp()) {
            var visibility = Duration.ofSeconds(5);
            var job = job(slow, visibility, STREAM);
            board.publish(job, Duration.ZERO);
            var first = takesPart(board, new TestPod("a", REDIS.port(), TestPod.DEADLY), job);
            enqueue(first, 0, 10);
            await().until(() -> slow.calls().size() >= 10);
            first.kill();
            board.publish(job(app, visibility, STREAM), Duration.ZERO);
            try (var second = takesPart(board, new TestPod("b", REDIS.port(), TestPod.DEADLY), job)) {
                await().atMost(PATIENCE).until(() -> second.metric(ACKED) == 10);
                assertThat(tasksOf(app)).hasSize(10);
                await().atMost(PATIENCE)
                        .until(() -> second.get("/v1/jobs/mail").body().contains("\"pending\":0,\"consumers\":1"));
            }
            first.close();
        }
    }

    @Test
    void aJobThatChangesItsTransportWhileTasksAreUnderWayLosesAndDoublesNothing() {
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.taking(Duration.ofMillis(30)))) {
            var list = job(app, Duration.ofSeconds(20), Transport.LIST);
            var stream = job(app, Duration.ofSeconds(20), STREAM);
            board.publish(list, Duration.ZERO);
            try (var a = takesPart(board, new TestPod("a", REDIS.port()), list);
                    var b = takesPart(board, new TestPod("b", REDIS.port()), list)) {
                for (int round = 0; round < 8; round++) {
                    enqueue(a, round * 50, round * 50 + 50);
                    board.publish(round % 2 == 0 ? stream : list, Duration.ZERO);
                    int soFar = round * 50;
                    await().until(() -> app.calls().size() > soFar);
                }
                await().atMost(PATIENCE).until(() -> sum(List.of(a, b), ACKED) == 400);
                assertThat(app.calls()).hasSize(400);
                assertThat(tasksOf(app)).hasSize(400);
            }
        }
    }

    @Test
    void whatWasHandledIsHandledAgainFromAnInstantOn() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            var job = job(app, Duration.ofSeconds(20), STREAM);
            board.publish(job, Duration.ZERO);
            try (var pod = takesPart(board, new TestPod("a", REDIS.port()), job)) {
                enqueue(pod, 0, 20);
                await().until(() -> pod.metric(ACKED) == 20);
                var from = board.link.now().plusMillis(1);
                await().until(() -> board.link.now().isAfter(from));
                enqueue(pod, 20, 50);
                await().until(() -> pod.metric(ACKED) == 50);

                var answer = pod.post("/v1/jobs/mail/replay", "{\"from\":\"" + from + "\"}", "Idempotency-Key", "k");

                assertThat(answer.body()).contains("\"replayed\":30");
                await().until(() -> pod.metric(ACKED) == 80);
                assertThat(app.calls()).hasSize(80);
                assertThat(pod.metric("soloist_tasks_replayed_total{djob=\"mail\"}"))
                        .isEqualTo(30);
            }
        }
    }
}
