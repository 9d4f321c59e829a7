package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.TaskLimits;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.HashSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dead letters as the app sees them over the API, and the limits of the job's definition. */
class DeadLettersIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");

    private Board board;
    private TestApp app;
    private TestPod pod;

    @BeforeEach
    void open() {
        board = new Board(REDIS);
        app = new TestApp().withHeader("Soloist-No-Retry", "true");
        pod = new TestPod("a", REDIS.port());
    }

    @AfterEach
    void close() {
        pod.close();
        app.close();
        board.close();
    }

    @Test
    void allLettersAreListedPageByPageAndEachIsReadWithPayloadAndError() {
        offer(TaskLimits.DEFAULT);
        die(250);

        var seen = new HashSet<String>();
        int skip = 0;
        for (String page = list("?limit=100"); ; page = list("?limit=100&skip=" + skip)) {
            ID.matcher(page).results().forEach(match -> seen.add(match.group(1)));
            if (!page.contains("\"next\":")) {
                break;
            }
            skip += 100;
            assertThat(page).contains("\"next\":" + skip);
        }

        assertThat(seen).hasSize(250);
        assertThat(pod.get("/v1/jobs/mail/dead/t7").body())
                .contains("\"state\":\"dead\"", "\"lastError\":\"HTTP 400\"", "\"payload\":{\"n\":7}", "\"diedAt\":\"");
        assertThat(pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"dead\"}"))
                .isEqualTo(250);
    }

    @Test
    void aRequeuedLetterIsDeliveredAsANewTask() {
        offer(TaskLimits.DEFAULT);
        die(2);
        app.does(call -> 200);

        assertThat(pod.send("POST", "/v1/jobs/mail/dead/t0/requeue", "").statusCode())
                .isEqualTo(202);

        await().until(() -> app.calls().size() == 3);
        assertThat(app.calls().getLast().header("Soloist-Attempt")).isEqualTo("1");
        assertThat(app.calls().getLast().header("Soloist-Task")).isEqualTo("t0");
        assertThat(pod.send("POST", "/v1/jobs/mail/dead/t0/requeue", "").statusCode())
                .isEqualTo(404);
        assertThat(pod.metric("soloist_dead_letters_total{action=\"requeued\",djob=\"mail\"}"))
                .isEqualTo(1);
    }

    @Test
    void aDiscardedLetterIsGoneAndATaskThatWaitsIsLeftAlone() {
        offer(TaskLimits.DEFAULT);
        die(1);
        pod.post("/v1/jobs/mail/tasks", "{\"id\":\"waits\",\"delay\":\"1h\"}");

        assertThat(pod.send("DELETE", "/v1/jobs/mail/dead/waits", "").statusCode())
                .isEqualTo(404);
        assertThat(pod.send("DELETE", "/v1/jobs/mail/dead/t0", "").statusCode()).isEqualTo(204);

        assertThat(pod.get("/v1/jobs/mail/tasks/waits").statusCode()).isEqualTo(200);
        assertThat(list("")).isEqualTo("{\"dead\":[]}");
    }

    @Test
    void onePurgeThrowsAllLettersAway() {
        offer(TaskLimits.DEFAULT);
        die(230);

        assertThat(pod.send("DELETE", "/v1/jobs/mail/dead", "").body()).isEqualTo("{\"purged\":230}");
        assertThat(pod.send("DELETE", "/v1/jobs/mail/dead", "").body()).isEqualTo("{\"purged\":0}");

        assertThat(pod.get("/v1/jobs/mail").body()).contains("\"dead\":0");
        assertThat(pod.metric("soloist_dead_letters_total{action=\"purged\",djob=\"mail\"}"))
                .isEqualTo(230);
    }

    @Test
    void theLimitsOfTheDefinitionHoldAndAChangeOfThemCountsAtOnce() {
        offer(new TaskLimits(100, 4, Duration.ofDays(1), 2));
        die(4);
        await().until(() -> pod.get("/v1/jobs/mail").body().contains("\"dead\":2"));

        assertThat(enqueue("a", 101)).isEqualTo(413);
        assertThat(enqueue("a", 100)).isEqualTo(202);
        assertThat(enqueue("b", 1)).isEqualTo(202);
        assertThat(enqueue("c", 1)).isEqualTo(202);
        assertThat(enqueue("d", 1)).isEqualTo(202);
        assertThat(enqueue("e", 1)).isEqualTo(503);

        board.publish(
                Jobs.delayed(
                        "mail", app.port(), work -> work.with(new TaskLimits(1024 * 1024, 10, Duration.ofDays(1), 0))),
                Duration.ZERO);
        await().until(() -> enqueue("e", 1) == 202);
        assertThat(enqueue("large", 1024 * 1024)).isEqualTo(202);
        assertThat(enqueue("larger", 1024 * 1024 + 1)).isEqualTo(413);
        await().until(() -> pod.get("/v1/jobs/mail").body().contains("\"dead\":0"));
    }

    @Test
    void overSeveralShardsLettersAreListedUpToABoundAndBehindItItIsSaidWhy() {
        board.offer(Jobs.delayed("mail", app.port(), work -> work.withShards(3)), pod);
        die(7);

        assertThat(ID.matcher(list("?limit=4") + list("?skip=4")).results()).hasSize(7);
        assertThat(list("?skip=10000")).isEqualTo("{\"dead\":[]}");
        var refused = pod.get("/v1/jobs/mail/dead?skip=10001");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("shards", "at most 10000");
    }

    private int enqueue(String id, int payload) {
        var text = payload == 1 ? "1" : "\"" + "x".repeat(payload - 2) + "\"";
        return pod.post("/v1/jobs/mail/tasks", "{\"id\":\"" + id + "\",\"delay\":\"1h\",\"payload\":" + text + "}")
                .statusCode();
    }

    private void offer(TaskLimits limits) {
        board.offer(Jobs.delayed("mail", app.port(), work -> work.with(limits)), pod);
    }

    private String list(String query) {
        return pod.get("/v1/jobs/mail/dead" + query).body();
    }

    /** Tasks t0.. that the app refuses for good. */
    private void die(int count) {
        app.does(call -> 400);
        for (int from = 0; from < count; from += 100) {
            var array = IntStream.range(from, Math.min(count, from + 100))
                    .mapToObj(n -> "{\"id\":\"t" + n + "\",\"delay\":\"0\",\"payload\":{\"n\":" + n + "}}")
                    .collect(Collectors.joining(",", "[", "]"));
            pod.post("/v1/jobs/mail/tasks", array);
        }
        await().until(() -> pod.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"dead\"}") == count);
    }
}
