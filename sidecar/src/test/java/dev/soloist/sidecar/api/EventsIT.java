package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What became of a job can be read by its apps, in order and from any point. */
class EventsIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final ObjectMapper JSON = new ObjectMapper();

    private Board board;
    private TestApp app;
    private TestPod pod;

    @BeforeEach
    void open() {
        board = new Board(REDIS);
        app = new TestApp();
        pod = new TestPod("a", REDIS.port());
    }

    @AfterEach
    void close() {
        pod.close();
        app.close();
        board.close();
    }

    private JobDefinition report(int log) {
        return Jobs.singleton("report", app.port(), Duration.ofMillis(200), Jobs.policy(Jobs.HELD))
                .withEventLog(log);
    }

    private JsonNode events(String query) {
        var answer = pod.get("/v1/jobs/report/events" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return read(answer.body());
    }

    private static JsonNode read(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyRunThatEndedIsReadOnceInOrderAndReadAgainFromAnyPoint() {
        board.offer(report(1000), pod);
        await().until(() -> app.calls("report").size() >= 8);

        List<String> runs = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        String after = "";
        while (runs.size() < 6) {
            var page = events("?limit=2" + (after.isEmpty() ? "" : "&after=" + after));
            assertThat(page.path("gap").asBoolean()).isFalse();
            page.path("events").forEach(event -> {
                assertThat(event.path("type").asText()).isEqualTo("runEnded");
                assertThat(event.path("run").path("result").asText()).isEqualTo("succeeded");
                assertThat(event.path("run").path("pod").asText()).isEqualTo("pod-a");
                runs.add(event.path("run").path("id").asText());
                ids.add(event.path("id").asText());
            });
            after = page.path("next").asText();
        }

        assertThat(runs)
                .doesNotHaveDuplicates()
                .containsSubsequence(app.calls("report").stream()
                        .limit(6)
                        .map(call -> call.header("Soloist-Run"))
                        .toList());
        var again = events("?after=" + ids.get(2) + "&limit=2").path("events");
        assertThat(again.path(0).path("id").asText()).isEqualTo(ids.get(3));
        assertThat(again.path(1).path("id").asText()).isEqualTo(ids.get(4));
        var since = events("?after="
                + read(pod.get("/v1/jobs/report/events?limit=1").body())
                        .path("events")
                        .path(0)
                        .path("at")
                        .asText());
        assertThat(since.path("events").path(0).path("id").asText()).isEqualTo(ids.getFirst());
    }

    @Test
    void theLogFollowsTheDefinitionsLengthAndSaysWhenSomethingIsGone() {
        board.offer(report(3), pod);
        await().until(() -> app.calls("report").size() >= 6);

        await().until(() -> events("").path("gap").asBoolean());
        assertThat(events("").path("kept").asInt()).isEqualTo(3);

        board.publish(report(0), Duration.ZERO);
        await().until(() -> pod.get("/v1/jobs/report/events").statusCode() == 409);
        assertThat(pod.get("/v1/jobs/report/events").body()).contains("/problems/no-event-log");
    }

    @Test
    void aTaskThatDiesIsAnEventWithWhatItsAppSaid() {
        app.does(_ -> 422).withHeader("Soloist-No-Retry", "1");
        var mail = Jobs.delayed("mail", app.port(), work -> work).withEventLog(10);
        board.offer(mail, pod);
        pod.post("/v1/jobs/mail/tasks", "{\"id\":\"ä/1\",\"delay\":\"0\"}");

        await().until(() -> pod.get("/v1/jobs/mail/events").body().contains("taskDied"));
        var event = read(pod.get("/v1/jobs/mail/events").body()).path("events").path(0);
        assertThat(event.path("task").path("id").asText()).isEqualTo("ä/1");
        assertThat(event.path("task").path("cause").asText()).isEqualTo("refused");
        assertThat(event.path("task").path("attempts").asInt()).isOne();
        assertThat(event.path("task").path("lastError").asText()).contains("422");
    }

    @Test
    void whatIsNoPointIsRefused() {
        board.offer(report(10), pod);
        for (var query : List.of(
                "?after=x", "?after=1-", "?after=-1-1", "?limit=0", "?limit=1001", "?from=1", "?after=1-1&after=1-2")) {
            assertThat(pod.get("/v1/jobs/report/events" + query).statusCode())
                    .as(query)
                    .isEqualTo(400);
        }
    }

    @Test
    void aStoreWithoutStreamsSaysThatThereIsNoLogAndRunsGoOn() {
        board.link.call("ACL", "SETUSER", "default", "-xadd", "-xrevrange", "-xrange", "-xlen");
        try {
            board.offer(report(10), pod);
            await().until(() -> app.calls("report").size() >= 3);
            var answer = pod.get("/v1/jobs/report/events");
            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body()).contains("/problems/no-event-log", "streams");
        } finally {
            board.link.call("ACL", "SETUSER", "default", "+@all");
        }
    }
}
