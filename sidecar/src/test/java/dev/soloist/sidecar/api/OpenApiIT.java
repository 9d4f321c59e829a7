package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server and the document agree: every documented answer is provoked, and no other is ever seen. */
class OpenApiIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Transport.Stream STREAM = new Transport.Stream(Duration.ofHours(1), 1000);

    private final Document document = new Document();

    @Test
    void theDocumentListsTheOperationsOfTheServer() {
        assertThat(document.routes())
                .isEqualTo(Arrays.stream(Operation.values())
                        .collect(Collectors.toMap(Operation::id, op -> op.method() + " " + op.template())));
    }

    @Test
    void everyDocumentedAnswerIsGivenAndNoOther() throws Exception {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var quick = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var mail = Jobs.delayed("mail", app.port(), work -> Jobs.withOnDuplicate(work, OnDuplicate.REJECT))
                    .withEventLog(10);
            var cache = Jobs.broadcast("cache", app.port());
            var report = Jobs.singleton("report", app.port(), Duration.ofHours(1), Jobs.policy(Jobs.HELD));
            board.publish(mail, Duration.ZERO);
            board.publish(report, Duration.ZERO);
            var letters = Jobs.delayed("letters", quick.port(), work -> work.with(STREAM));
            board.publish(letters, Duration.ZERO);
            board.assign("a", mail, report, letters, cache);
            board.publish(cache, Duration.ZERO);
            await().until(() ->
                    pod.get("/v1/jobs/mail").statusCode() == 200 && !app.calls().isEmpty());

            accepted(pod);
            leases(pod);
            replayed(pod);
            inFlight(pod, app);
            news(pod);
            dead(pod, app);
            refused(pod);
            fullStore(pod, board);
            gate.countDown();
            unavailable(pod);

            assertThat(document.seen()).isEqualTo(document.documented());
        }
    }

    private void accepted(TestPod pod) {
        on(
                Operation.ENQUEUE,
                pod.post("/v1/jobs/mail/tasks", "{\"id\":\"a\",\"delay\":\"1h\",\"payload\":[1,{\"x\":null}]}"),
                202);
        on(
                Operation.ENQUEUE,
                pod.post("/v1/jobs/mail/tasks", "[{\"delay\":\"1h\"},{\"runAt\":\"2027-01-01T00:00:00+07:00\"}]"),
                202);
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", "[{\"delay\":\"1h\"},{\"id\":7,\"delay\":\"1h\"}]"), 207);
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", "{\"id\":\"a\",\"delay\":\"1h\"}"), 409);
        on(Operation.READ_TASK, pod.get("/v1/jobs/mail/tasks/a"), 200);
        on(Operation.RESCHEDULE, pod.send("PATCH", "/v1/jobs/mail/tasks/a", "{\"delay\":\"2h\"}"), 200);
        on(Operation.CANCEL, pod.send("DELETE", "/v1/jobs/mail/tasks/a", ""), 204);
        on(Operation.READ_JOB, pod.get("/v1/jobs/mail"), 200);
        on(Operation.READ_JOB, pod.get("/v1/jobs/report"), 200);
        on(Operation.OPENAPI, pod.get("/v1/openapi.yaml"), 200);
    }

    private void leases(TestPod pod) {
        var export = "/v1/leases/export";
        try (var other = new TestPod("b", REDIS.port())) {
            await().until(() -> other.get("/v1/leases").statusCode() == 200);
            var key = new String[] {"Idempotency-Key", "k"};
            var held = on(Operation.ACQUIRE_LEASE, pod.post(export, "{\"ttl\":\"1m\"}", key), 201);
            on(Operation.ACQUIRE_LEASE, pod.post(export, "{\"ttl\":\"1m\"}", key), 200);
            on(Operation.ACQUIRE_LEASE, other.post(export, "{}"), 409);
            on(Operation.LIST_LEASES, other.get("/v1/leases"), 200);
            String[] fence = {"Soloist-Fence", held.body().replaceFirst(".*\"fence\":\"([^\"]+)\".*", "$1")};
            on(Operation.RENEW_LEASE, pod.send("PUT", export, "", fence), 200);
            on(Operation.RENEW_LEASE, other.send("PUT", export, "", fence), 409);
            on(Operation.RELEASE_LEASE, other.send("DELETE", export, "", fence), 202);
            on(Operation.RENEW_LEASE, pod.send("PUT", export, "", fence), 409);
            on(Operation.RELEASE_LEASE, pod.send("DELETE", export, "", fence), 204);
        }
        on(Operation.ACQUIRE_LEASE, pod.post(export, "{\"ttl\":\"0\"}"), 400);
        on(Operation.ACQUIRE_LEASE, pod.post(export, "x".repeat(RequestBody.MAX_BYTES + 1)), 413);
        on(Operation.ACQUIRE_LEASE, pod.post(export, "{}", "Content-Type", "text/plain"), 415);
        on(Operation.RENEW_LEASE, pod.send("PUT", export, ""), 400);
        on(Operation.RELEASE_LEASE, pod.send("DELETE", export, "", "Soloist-Fence", "7"), 400);
        on(Operation.LIST_LEASES, pod.get("/v1/leases?x=1"), 400);
    }

    private void replayed(TestPod pod) {
        on(Operation.ENQUEUE, pod.post("/v1/jobs/letters/tasks", "{\"id\":\"l\",\"delay\":\"0\"}"), 202);
        await().until(() -> pod.get("/v1/jobs/letters/tasks/l").body().contains("\"done\""));
        on(Operation.READ_JOB, pod.get("/v1/jobs/letters"), 200);
        on(Operation.REPLAY, pod.post("/v1/jobs/letters/replay", "{\"from\":\"2020-01-01T00:00:00Z\"}"), 200);
        on(Operation.REPLAY, pod.post("/v1/jobs/letters/replay", "{}"), 400);
        on(Operation.REPLAY, pod.post("/v1/jobs/none/replay", "{\"from\":\"2020-01-01T00:00:00Z\"}"), 404);
        on(Operation.REPLAY, pod.post("/v1/jobs/mail/replay", "{\"from\":\"2020-01-01T00:00:00Z\"}"), 409);
        on(Operation.REPLAY, pod.post("/v1/jobs/letters/replay", "x".repeat(RequestBody.MAX_BYTES + 1)), 413);
        on(Operation.REPLAY, pod.post("/v1/jobs/letters/replay", "{}", "Content-Type", "text/plain"), 415);
        await().until(() -> pod.get("/v1/jobs/letters/tasks/l").body().contains("\"done\""));
    }

    private void inFlight(TestPod pod, TestApp app) {
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", "{\"id\":\"b\",\"delay\":\"0\"}"), 202);
        await().until(() -> app.calls().stream()
                .anyMatch(call -> call.header("Soloist-Task").equals("b")));
        on(Operation.READ_TASK, pod.get("/v1/jobs/mail/tasks/b"), 200);
        on(Operation.RESCHEDULE, pod.send("PATCH", "/v1/jobs/mail/tasks/b", "{\"delay\":\"2h\"}"), 409);
        on(Operation.CANCEL, pod.send("DELETE", "/v1/jobs/mail/tasks/b", ""), 202);
    }

    private void news(TestPod pod) {
        on(Operation.BROADCAST, pod.post("/v1/jobs/cache/broadcast", "{\"payload\":[1]}"), 202);
        on(Operation.BROADCAST, pod.post("/v1/jobs/cache/broadcast", "{"), 400);
        on(Operation.BROADCAST, pod.post("/v1/jobs/none/broadcast", "{}"), 404);
        on(Operation.BROADCAST, pod.post("/v1/jobs/mail/broadcast", "{}"), 409);
        var large = "{\"payload\":\"" + "x".repeat(64 * 1024) + "\"}";
        on(Operation.BROADCAST, pod.post("/v1/jobs/cache/broadcast", large), 413);
        on(Operation.BROADCAST, pod.post("/v1/jobs/cache/broadcast", "{}", "Content-Type", "text/plain"), 415);
        on(Operation.READ_JOB, pod.get("/v1/jobs/cache"), 200);
        on(Operation.READ_EVENTS, pod.get("/v1/jobs/mail/events?limit=1"), 200);
        on(Operation.READ_EVENTS, pod.get("/v1/jobs/mail/events?after=x"), 400);
        on(Operation.READ_EVENTS, pod.get("/v1/jobs/none/events"), 404);
        on(Operation.READ_EVENTS, pod.get("/v1/jobs/report/events"), 409);
    }

    private void dead(TestPod pod, TestApp app) {
        app.withHeader("Soloist-No-Retry", "true").doesAt("dead", call -> 400);
        for (var id : List.of("dead-1", "dead-2", "dead-3")) {
            on(
                    Operation.ENQUEUE,
                    pod.post(
                            "/v1/jobs/mail/tasks",
                            "{\"id\":\"" + id + "\",\"payload\":{},\"delay\":\"0\",\"priority\":\"high\"}"),
                    202);
        }
        await().until(() -> pod.get("/v1/jobs/mail").body().contains("\"dead\":3"));
        on(Operation.LIST_DEAD, pod.get("/v1/jobs/mail/dead?skip=0&limit=2"), 200);
        on(Operation.LIST_DEAD, pod.get("/v1/jobs/mail/dead?limit=101"), 400);
        on(Operation.READ_DEAD, pod.get("/v1/jobs/mail/dead/dead-1"), 200);
        on(Operation.READ_DEAD, pod.get("/v1/jobs/mail/dead/b"), 404);
        on(Operation.REQUEUE_DEAD, pod.send("POST", "/v1/jobs/mail/dead/dead-1/requeue", ""), 202);
        on(Operation.REQUEUE_DEAD, pod.send("POST", "/v1/jobs/mail/dead/b/requeue", ""), 404);
        on(Operation.DISCARD_DEAD, pod.send("DELETE", "/v1/jobs/mail/dead/dead-2", ""), 204);
        on(Operation.DISCARD_DEAD, pod.send("DELETE", "/v1/jobs/mail/dead/b", ""), 404);
        on(Operation.PURGE_DEAD, pod.send("DELETE", "/v1/jobs/mail/dead", ""), 200);
        on(Operation.PURGE_DEAD, pod.send("DELETE", "/v1/jobs/mail/dead?x=1", ""), 400);
        for (var operation : List.of(
                Operation.LIST_DEAD,
                Operation.PURGE_DEAD,
                Operation.READ_DEAD,
                Operation.DISCARD_DEAD,
                Operation.REQUEUE_DEAD)) {
            var path = operation.template().replace("{id}", "a");
            on(operation, pod.send(operation.method(), path.replace("{job}", "none"), ""), 404);
            on(operation, pod.send(operation.method(), path.replace("{job}", "report"), ""), 409);
            if (path.contains("/a")) {
                var bad = path.replace("{job}", "mail").replace("/a", "/%FF");
                on(operation, pod.send(operation.method(), bad, ""), 400);
            }
        }
    }

    private void refused(TestPod pod) {
        var huge = "{\"delay\":\"1s\",\"runAt\":\"" + "x".repeat(RequestBody.MAX_BYTES) + "\"}";
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", "{"), 400);
        on(Operation.ENQUEUE, pod.post("/v1/jobs/none/tasks", "{\"delay\":\"1s\"}"), 404);
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", huge), 413);
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", "{}", "Content-Type", "text/plain"), 415);
        on(Operation.READ_TASK, pod.get("/v1/jobs/mail/tasks/" + "x".repeat(257)), 400);
        on(Operation.READ_TASK, pod.get("/v1/jobs/mail/tasks/none"), 404);
        on(Operation.READ_TASK, pod.get("/v1/jobs/report/tasks/none"), 409);
        on(Operation.RESCHEDULE, pod.send("PATCH", "/v1/jobs/mail/tasks/a", "{}"), 400);
        on(Operation.RESCHEDULE, pod.send("PATCH", "/v1/jobs/mail/tasks/none", "{\"delay\":\"2h\"}"), 404);
        on(Operation.RESCHEDULE, pod.send("PATCH", "/v1/jobs/mail/tasks/a", huge), 413);
        on(Operation.RESCHEDULE, pod.send("PATCH", "/v1/jobs/mail/tasks/a", "{}", "Content-Type", "text/plain"), 415);
        on(Operation.CANCEL, pod.send("DELETE", "/v1/jobs/mail/tasks/%FF", ""), 400);
        on(Operation.CANCEL, pod.send("DELETE", "/v1/jobs/mail/tasks/none", ""), 404);
        on(Operation.CANCEL, pod.send("DELETE", "/v1/jobs/report/tasks/none", ""), 409);
        on(Operation.READ_JOB, pod.get("/v1/jobs/mail?x=1"), 400);
        on(Operation.READ_JOB, pod.get("/v1/jobs/none"), 404);
        on(Operation.OPENAPI, pod.get("/v1/openapi.yaml?x=1"), 400);
        for (var operation : Operation.values()) {
            on(operation, call(pod, operation, "Authorization", "Bearer wrong"), 401);
        }
    }

    private void fullStore(TestPod pod, Board board) {
        board.link.call("CONFIG", "SET", "maxmemory", "1");
        on(Operation.ENQUEUE, pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"1h\"}"), 507);
        on(Operation.REPLAY, pod.post("/v1/jobs/letters/replay", "{\"from\":\"2020-01-01T00:00:00Z\"}"), 507);
        board.link.call("CONFIG", "SET", "maxmemory", "0");
    }

    private void unavailable(TestPod pod) {
        pod.link.cut();
        await().until(() -> pod.metric("soloist_store_up") == 0);
        for (var operation : Operation.values()) {
            if (operation != Operation.OPENAPI) {
                on(operation, call(pod, operation), 503);
            }
        }
    }

    private static HttpResponse<String> call(TestPod pod, Operation operation, String... headers) {
        var job = switch (operation) {
            case BROADCAST -> "cache";
            case REPLAY -> "letters";
            default -> "mail";
        };
        var path =
                operation.template().replace("{job}", job).replace("{id}", "a").replace("{name}", "a");
        var all = Stream.concat(Stream.of("Soloist-Fence", "0000000000-0000000000000001"), Stream.of(headers));
        return pod.send(operation.method(), path, body(operation), all.toArray(String[]::new));
    }

    private static String body(Operation operation) {
        return switch (operation) {
            case BROADCAST, ACQUIRE_LEASE -> "{}";
            case REPLAY -> "{\"from\":\"2020-01-01T00:00:00Z\"}";
            default -> operation.takesBody() ? "{\"delay\":\"1h\"}" : "";
        };
    }

    private HttpResponse<String> on(Operation operation, HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as("%s: %s", operation, answer.body()).isEqualTo(status);
        return document.check(operation, answer);
    }
}
