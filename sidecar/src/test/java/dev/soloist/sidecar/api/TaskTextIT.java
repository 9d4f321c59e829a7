package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ids and payloads of every kind go through the API, Redis and the app unchanged. */
class TaskTextIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final String NFC = Normalizer.normalize("Trường", Normalizer.Form.NFC);
    private static final List<String> IDS = List.of(
            "a:b",
            "a|b",
            "{x}",
            "*",
            "a b",
            "a/b",
            "..",
            ".",
            "../x",
            "..%2f",
            "?x=1#y",
            "%",
            "+",
            "\"\\",
            "\u0000",
            "\n\r\t",
            " lead",
            "x".repeat(256),
            "ư".repeat(128),
            "🦊",
            NFC,
            Normalizer.normalize("Trường", Normalizer.Form.NFD));

    @Test
    void p01_everyLegalIdGoesAllTheWayByteForByte() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            for (var id : IDS) {
                assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":" + json(id) + ",\"delay\":\"1h\"}")
                                .statusCode())
                        .as(id)
                        .isEqualTo(202);
            }
            for (var id : IDS) {
                var path = "/v1/jobs/mail/tasks/" + encoded(id);
                assertThat(pod.get(path).body()).as(id).contains("\"state\":\"delayed\"");
                assertThat(pod.send("DELETE", path, "").statusCode()).as(id).isEqualTo(204);
                assertThat(pod.get(path).body()).as(id).contains("\"state\":\"cancelled\"");
                assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":" + json(id) + ",\"delay\":\"0\"}")
                                .statusCode())
                        .isEqualTo(202);
            }

            await().until(() -> app.calls().size() == IDS.size());
            assertThat(app.calls().stream()
                            .map(call -> URLDecoder.decode(
                                    call.header("Soloist-Task").replace("+", "%2B"), StandardCharsets.UTF_8))
                            .collect(Collectors.toSet()))
                    .isEqualTo(new LinkedHashSet<>(IDS));
            assertThat(pod.metrics()).doesNotContain("kind=\"script\"");
            assertThat(pod.loopErrors()).isZero();
            assertThat(board.link.call("KEYS", "*"))
                    .allSatisfy(key -> assertThat(new String((byte[]) key, StandardCharsets.UTF_8))
                            .startsWith("soloist:main:{shop"));
        }
    }

    @Test
    void p03_payloadsBeyondTheLimitAreRefusedWithoutBeingKept() throws IOException {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            int limit = 256 * 1024;
            assertThat(enqueue(pod, limit - 1024)).isEqualTo(202);
            assertThat(enqueue(pod, limit)).isEqualTo(202);
            assertThat(enqueue(pod, limit + 1)).isEqualTo(413);
            assertThat(chunked(pod, 20 * 1024 * 1024))
                    .startsWith("HTTP/1.1 413 ")
                    .contains("body-too-large");

            assertThat(pod.get("/v1/jobs/mail").body()).contains("\"pending\":2");
            assertThat(pod.metric("soloist_api_requests_total{operation=\"enqueueTasks\",status=\"413\"}"))
                    .isEqualTo(2);
            await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        }
    }

    /** A payload of so many bytes, quotes included. */
    private static int enqueue(TestPod pod, int bytes) {
        return pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"1h\",\"payload\":\"" + "x".repeat(bytes - 2) + "\"}")
                .statusCode();
    }

    private static String chunked(TestPod pod, int bytes) throws IOException {
        try (var socket =
                new Socket(InetAddress.ofLiteral("127.0.0.1"), pod.sidecar().apiPort())) {
            socket.setSoTimeout(40_000);
            var out = socket.getOutputStream();
            out.write(
                    ("POST /v1/jobs/mail/tasks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                                    + "Authorization: " + pod.sidecar().authorization()
                                    + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var chunk = "x".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);
            for (int sent = 0; sent < bytes; sent += chunk.length) {
                out.write((Integer.toHexString(chunk.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(chunk);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void anIdempotencyKeyMakesARepeatTheSameRequestAlsoAfterTheTaskHasEnded() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            var body = "{\"id\":\"a\",\"delay\":\"0\"}";
            assertThat(pod.post("/v1/jobs/mail/tasks", body, "Idempotency-Key", "k")
                            .body())
                    .contains("created");
            await().until(() -> pod.get("/v1/jobs/mail/tasks/a").body().contains("\"done\""));

            assertThat(pod.post("/v1/jobs/mail/tasks", body, "Idempotency-Key", "k")
                            .body())
                    .contains("duplicate");
            assertThat(pod.post("/v1/jobs/mail/tasks", body, "Idempotency-Key", "other")
                            .body())
                    .contains("created");
            await().until(() -> app.calls().size() == 2);

            var first = pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"1h\"}", "Idempotency-Key", "no-id");
            var again = pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"1h\"}", "Idempotency-Key", "no-id");
            assertThat(again.body()).isEqualTo(first.body().replace("created", "duplicate"));
        }
    }

    @Test
    void bytesGoThroughWithTheirContentType() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            var body = "{\"id\":\"a\",\"delay\":\"1h\",\"payloadBase64\":\"aGVsbG8=\",\"contentType\":\"text/plain\"}";
            pod.post("/v1/jobs/mail/tasks", body);
            assertThat(pod.get("/v1/jobs/mail/tasks/a").body())
                    .contains("\"payloadBase64\":\"aGVsbG8=\"")
                    .contains("\"contentType\":\"text/plain\"");
            pod.send("PATCH", "/v1/jobs/mail/tasks/a", "{\"delay\":\"0\"}");

            await().until(() -> app.calls().size() == 1);
            assertThat(app.calls().getFirst().body).isEqualTo("hello");
            assertThat(app.calls().getFirst().header("Content-Type")).isEqualTo("text/plain");
        }
    }

    private static String json(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20").replace(".", "%2E");
    }
}
