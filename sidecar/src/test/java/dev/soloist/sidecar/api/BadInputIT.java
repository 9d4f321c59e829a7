package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestPod;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is sent to the API, the answer is a problem that says what is wrong, and nothing is changed. */
class BadInputIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static TestPod pod;
    private static Board board;

    @BeforeEach
    void aPodWithOneDelayedAndOneSingletonJob() {
        if (board == null) {
            board = new Board(REDIS);
            pod = new TestPod("a", REDIS.port());
        }
        var mail = Jobs.delayed("mail", 9, work -> work);
        var report = Jobs.singleton("report", 9, Duration.ofHours(1), Jobs.policy(Jobs.HELD));
        board.publish(mail, Duration.ZERO);
        board.publish(report, Duration.ofHours(1));
        board.assign("a", mail, report);
        await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200
                && pod.get("/v1/jobs/report").statusCode() == 200);
    }

    @AfterAll
    static void close() {
        pod.close();
        board.close();
    }

    record Row(String method, String path, String body, int status, String type, String says) {
        @Override
        public String toString() {
            return method + " " + path + " " + (body.length() > 60 ? body.substring(0, 60) + "…" : body);
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                body("", 400, "malformed-json", "empty"),
                body("   ", 400, "malformed-json", "empty"),
                body("{", 400, "malformed-json", ""),
                body("nonsense", 400, "malformed-json", ""),
                body("\"text\"", 400, "invalid-task", "JSON object"),
                body("7", 400, "invalid-task", "JSON object"),
                body("null", 400, "invalid-task", "JSON object"),
                body("[]", 400, "invalid-request", "empty"),
                body("{}", 400, "invalid-task", "delay"),
                body("{\"delay\":\"1s\"} x", 400, "malformed-json", ""),
                body("{\"delay\":\"1s\"}{}", 400, "malformed-json", "after the end"),
                body("{\"delay\":\"1s\",\"delay\":\"2s\"}", 400, "malformed-json", "delay"),
                body("{\"delay\":\"1s\",\"payload\":{\"x\":1,\"x\":2}}", 400, "malformed-json", "x"),
                body(
                        "{\"delay\":\"1s\",\"payload\":" + "[".repeat(100) + "]".repeat(100) + "}",
                        400,
                        "malformed-json",
                        "depth"),
                body("{\"delay\":\"1s\",\"payload\":" + "9".repeat(2000) + "}", 400, "malformed-json", ""),
                body("{\"delay\":\"1s\",\"payload\":NaN}", 400, "malformed-json", ""),
                body("{\"delay\":\"1s\",\"payload\":'x'}", 400, "malformed-json", ""),
                body("{\"delay\":\"1s\",/* c */\"id\":\"a\"}", 400, "malformed-json", ""),
                body("{\"delay\":\"1s\",\"prio\":\"high\"}", 400, "invalid-task", "prio"),
                body("{\"delay\":\"1s\",\"priority\":\"urgent\"}", 400, "invalid-task", "priority"),
                body("{\"delay\":\"1s\",\"dedupKey\":\"x\"}", 400, "invalid-task", "dedupKey"),
                body("{\"delay\":\"1s\",\"" + "k".repeat(500) + "\":1}", 400, "invalid-task", "kkk…"),
                body("{\"delay\":1}", 400, "invalid-task", "delay must be a text"),
                body("{\"delay\":null}", 400, "invalid-task", "delay must be a text"),
                body("{\"delay\":[\"1s\"]}", 400, "invalid-task", "delay must be a text"),
                body("{\"delay\":\"-1s\"}", 400, "invalid-task", "not negative"),
                body("{\"delay\":\"1d\"}", 400, "invalid-task", "duration"),
                body("{\"delay\":\"\"}", 400, "invalid-task", "duration"),
                body("{\"delay\":\"1\"}", 400, "invalid-task", "duration"),
                body("{\"delay\":\"" + "9".repeat(17) + "h\"}", 400, "invalid-task", "duration"),
                body("{\"delay\":\"10000h\"}", 400, "too-far", "one year"),
                body("{\"runAt\":\"tomorrow\"}", 400, "invalid-task", "RFC 3339"),
                body("{\"runAt\":\"2026-02-30T00:00:00Z\"}", 400, "invalid-task", "RFC 3339"),
                body("{\"runAt\":\"2026-01-01T00:00:00\"}", 400, "invalid-task", "RFC 3339"),
                body("{\"runAt\":1700000000}", 400, "invalid-task", "runAt must be a text"),
                body("{\"runAt\":\"9999-01-01T00:00:00Z\"}", 400, "too-far", "one year"),
                body("{\"delay\":\"1s\",\"runAt\":\"2027-01-01T00:00:00Z\"}", 400, "invalid-task", "not both"),
                body("{\"delay\":\"1s\",\"id\":\"\"}", 400, "invalid-id", "1 to 256"),
                body("{\"delay\":\"1s\",\"id\":7}", 400, "invalid-task", "id must be a text"),
                body("{\"delay\":\"1s\",\"id\":\"" + "x".repeat(257) + "\"}", 400, "invalid-id", "257"),
                body("{\"delay\":\"1s\",\"id\":\"" + "ư".repeat(129) + "\"}", 400, "invalid-id", "258"),
                body("{\"delay\":\"1s\",\"id\":\"\\ud800\"}", 400, "invalid-id", "surrogate"),
                body("{\"delay\":\"1s\",\"payload\":1,\"payloadBase64\":\"eA==\"}", 400, "invalid-task", "not both"),
                body("{\"delay\":\"1s\",\"payloadBase64\":\"%%\"}", 400, "invalid-task", "base64"),
                body("{\"delay\":\"1s\",\"payload\":1}".replaceAll("(.)", "$1\0"), 400, "malformed-json", "not UTF-8"),
                body("{\"delay\":\"1s\",\"payload\":1}".replaceAll("(.)", "\0$1"), 400, "malformed-json", "not UTF-8"),
                body(json(",\"x\":"), 400, "invalid-task", "one JSON value"),
                body(json("1 2"), 400, "invalid-task", "one JSON value"),
                body(json("\ufeff1"), 400, "invalid-task", "one JSON value"),
                body("{\"delay\":\"1s\",\"contentType\":\"text/plain\"}", 400, "invalid-task", "payloadBase64"),
                body(
                        "{\"delay\":\"1s\",\"payloadBase64\":\"eA==\",\"contentType\":\"a\\r\\nX-Evil: 1\"}",
                        400,
                        "invalid-task",
                        "media type"),
                body(
                        Stream.generate(() -> "{\"delay\":\"1h\"}")
                                .limit(101)
                                .toList()
                                .toString(),
                        400,
                        "invalid-request",
                        "100"),
                new Row("POST", "/v1/jobs/none/tasks", "{\"delay\":\"1s\"}", 404, "unknown-job", "none"),
                new Row("POST", "/v1/jobs/report/tasks", "{\"delay\":\"1s\"}", 409, "not-a-delayed-job", "report"),
                new Row(
                        "POST",
                        "/v1/jobs/mail/tasks/",
                        "{\"delay\":\"1s\"}",
                        405,
                        "method-not-allowed",
                        "GET, PATCH, DELETE"),
                new Row("PUT", "/v1/jobs/mail/tasks", "{}", 405, "method-not-allowed", "POST"),
                new Row("POST", "/v1/jobs/mail", "{}", 405, "method-not-allowed", "GET"),
                new Row("GET", "/v1/jobs/mail/tasks/", "", 400, "invalid-id", "1 to 256"),
                new Row("GET", "/v1/jobs/mail/tasks/a/b", "", 404, "unknown-path", ""),
                new Row("GET", "/v1/jobs/mail/tasks/..%2F..", "", 404, "unknown-task", ""),
                new Row("GET", "/v1/jobs/mail/tasks/..", "", 404, "unknown-task", ""),
                new Row("GET", "/v1/jobs/..%2Fmail", "", 404, "unknown-job", ""),
                new Row("GET", "/v1/jobs//tasks/a", "", 404, "unknown-job", ""),
                new Row("GET", "//v1/jobs/mail", "", 404, "unknown-path", ""),
                new Row("GET", "/", "", 404, "unknown-path", ""),
                new Row("GET", "/v2/jobs/mail", "", 404, "unknown-path", ""),
                new Row("GET", "/v1/jobs/{x}", "", 404, "unknown-job", "{x}"),
                new Row("GET", "/v1/jobs/mail/tasks/%zz", "", 400, "invalid-request", "hexadecimal"),
                new Row("GET", "/v1/jobs/mail/tasks/%", "", 400, "invalid-request", "hexadecimal"),
                new Row("GET", "/v1/jobs/mail/tasks/%4", "", 400, "invalid-request", "hexadecimal"),
                new Row("GET", "/v1/jobs/mail/tasks/a b", "", 400, "invalid-request", "%20"),
                new Row("GET", "v1/jobs/mail", "", 404, "unknown-path", "slash"),
                new Row("GET", "http://127.0.0.1/v1/jobs/mail", "", 404, "unknown-path", "slash"),
                new Row("G E T", "/v1/jobs/mail", "", 400, "invalid-request", ""),
                new Row("GET", "/v1/jobs/mail/tasks/" + "x".repeat(20_000), "", 400, "invalid-request", "longer"),
                new Row("GET", "/v1/jobs/mail/tasks/%C3%28", "", 400, "invalid-id", "UTF-8"),
                new Row("GET", "/v1/jobs/mail/tasks/x?y=1", "", 400, "invalid-request", "%3F"),
                new Row("PATCH", "/v1/jobs/mail/tasks/a", "[]", 400, "invalid-task", ""),
                new Row("PATCH", "/v1/jobs/mail/tasks/a", "{\"payload\":1}", 400, "invalid-task", "payload"),
                new Row("PATCH", "/v1/jobs/mail/tasks/a", "{\"delay\":\"1s\"}", 404, "unknown-task", ""),
                new Row("BREW", "/v1/jobs/mail", "", 405, "method-not-allowed", "GET"));
    }

    private static String json(String payload) {
        var base64 = Base64.getEncoder().encodeToString(payload.getBytes(StandardCharsets.UTF_8));
        return "{\"delay\":\"1s\",\"contentType\":\"application/json\",\"payloadBase64\":\"" + base64 + "\"}";
    }

    private static Row body(String body, int status, String type, String says) {
        return new Row("POST", "/v1/jobs/mail/tasks", body, status, type, says);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void badInputIsAProblemAndChangesNothing(Row row) throws IOException {
        var before = stored();

        var answer = raw(
                row.method(),
                row.path(),
                row.body().getBytes(StandardCharsets.UTF_8),
                pod.sidecar().authorization());

        assertThat(answer).as(answer).startsWith("HTTP/1.1 " + row.status() + " ");
        assertThat(answer)
                .contains("application/problem+json")
                .contains("https://soloist.dev/problems/" + row.type() + "\"");
        assertThat(answer).contains(row.says());
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void bodiesThatAreNoTextAreRefused() throws IOException {
        for (var bytes : List.of(
                new byte[] {(byte) 0xff, (byte) 0xfe, '{', 0, '}', 0},
                "{\"delay\":\"1s\",\"payload\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1),
                new byte[] {0, 0, 0, 0})) {
            assertThat(raw("POST", "/v1/jobs/mail/tasks", bytes, pod.sidecar().authorization()))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("malformed-json");
        }
    }

    @Test
    void everyOperationWantsTheToken() {
        for (var operation : Operation.values()) {
            var path = operation
                    .template()
                    .replace("{job}", "mail")
                    .replace("{id}", "a")
                    .replace("{name}", "a");
            for (var wrong : List.of(
                    "", "Bearer", "Bearer x", "Basic eDp5", pod.sidecar().authorization() + "x")) {
                var answer = pod.send(operation.method(), path, "", "Authorization", wrong);
                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
                assertThat(answer.body())
                        .contains("unauthorized")
                        .doesNotContain(pod.sidecar().authorization());
            }
        }
    }

    @Test
    void aBatchIsJudgedTaskByTask() {
        var answer = pod.post(
                "/v1/jobs/mail/tasks",
                "[{\"id\":\"good\",\"delay\":\"1h\"},{\"id\":\"bad\",\"delay\":\"1d\"},7,{\"id\":\"also\",\"delay\":\"1h\",\"payload\":{\"n\": 1.0}}]");

        assertThat(answer.statusCode()).isEqualTo(207);
        assertThat(answer.body()).contains("\"good\"").contains("invalid-task").contains("\"also\"");
        assertThat(pod.get("/v1/jobs/mail/tasks/good").statusCode()).isEqualTo(200);
        assertThat(pod.get("/v1/jobs/mail/tasks/bad").statusCode()).isEqualTo(404);
        assertThat(pod.get("/v1/jobs/mail/tasks/also").body()).contains("\"payload\":{\"n\": 1.0}");
    }

    @Test
    void jsonInBase64IsReadAsJson() {
        assertThat(pod.post("/v1/jobs/mail/tasks", json("{\"n\": 1.0}").replace("1s\"", "1h\",\"id\":\"j\""))
                        .statusCode())
                .isEqualTo(202);

        assertThat(pod.get("/v1/jobs/mail/tasks/j").body()).contains("\"payload\":{\"n\": 1.0}");
    }

    private static String stored() {
        return board.link.call("KEYS", "*{shop/mail/0}:[ta]").size() + " "
                + board.link.call("HLEN", board.keys.tasks(Jobs.id("mail"))).getFirst();
    }

    /** Sent byte for byte: no client library may tidy the path. */
    private static String raw(String method, String path, byte[] body, String authorization) throws IOException {
        try (var socket =
                new Socket(InetAddress.ofLiteral("127.0.0.1"), pod.sidecar().apiPort())) {
            socket.setSoTimeout(40_000);
            OutputStream out = socket.getOutputStream();
            out.write((method + " " + path
                            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                            + "Authorization: " + authorization + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(body);
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
