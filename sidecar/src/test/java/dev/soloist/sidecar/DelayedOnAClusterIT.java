package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.Delivery;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.ClusterGroup;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an app does with its tasks over a real sidecar process whose store is a Redis Cluster. */
@Timeout(240)
class DelayedOnAClusterIT {

    @RegisterExtension
    static final ClusterGroup GROUP = new ClusterGroup(0);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String DEAD = "/v1/jobs/mail/dead";

    private Board board;
    private TestApp app;
    private ChildSidecar sidecar;

    @BeforeEach
    void open() {
        board = new Board(GROUP.link());
        app = new TestApp();
        sidecar = new ChildSidecar("a", Map.of(StoreFile.ADDRESS, GROUP.address(), StoreFile.TOPOLOGY, "Cluster"));
    }

    @AfterEach
    void close() {
        sidecar.close();
        app.close();
        board.close();
    }

    @Test
    void f08_aTaskHandedOutAtMostOnceIsGoneWhenItsAppSeesIt() {
        var job = offer(Jobs.delayed(
                "mail",
                app.port(),
                work -> new DelayedWork(
                                work.visibilityTimeout(), 1, work.backoff(), work.concurrency(), work.onDuplicate())
                        .with(Delivery.AT_MOST_ONCE)));
        app.doesAt("bad", call -> 500);

        enqueue("good", "bad", "fine");

        await().atMost(PATIENCE).until(() -> delivered("acked") == 2 && delivered("dropped") == 1);
        assertThat(app.calls().stream().map(call -> call.header("Soloist-Task")))
                .containsExactlyInAnyOrder("good", "bad", "fine");
        for (String id : List.of("good", "bad", "fine")) {
            assertThat(board.queue(job).inspect(TaskId.of(id)).orElseThrow().state())
                    .isEqualTo(TaskState.DONE);
        }
        assertThat(send("GET", DEAD).body()).isEqualTo("{\"dead\":[]}");
    }

    @Test
    void f08_deadLettersAreListedReadRequeuedDiscardedAndPurged() {
        offer(Jobs.delayed("mail", app.port(), work -> work));
        app.withHeader("Soloist-No-Retry", "true").does(call -> 400);
        enqueue("a", "b", "c");
        await().atMost(PATIENCE).until(() -> delivered("dead") == 3);

        assertThat(send("GET", DEAD).body()).contains("\"id\":\"a\"", "\"id\":\"b\"", "\"id\":\"c\"");
        assertThat(send("GET", DEAD + "/a").body()).contains("\"state\":\"dead\"", "\"lastError\":\"HTTP 400\"");
        app.does(call -> 200);
        assertThat(send("POST", DEAD + "/a/requeue").statusCode()).isEqualTo(202);
        await().atMost(PATIENCE).until(() -> delivered("acked") == 1);
        assertThat(app.calls().getLast().header("Soloist-Task")).isEqualTo("a");
        assertThat(send("DELETE", DEAD + "/b").statusCode()).isEqualTo(204);
        assertThat(send("DELETE", DEAD).body()).isEqualTo("{\"purged\":1}");
        assertThat(send("GET", DEAD).body()).isEqualTo("{\"dead\":[]}");
    }

    private JobDefinition offer(JobDefinition job) {
        board.publish(job, Duration.ZERO);
        board.assign(sidecar.uid, job);
        await().atMost(PATIENCE).until(() -> sidecar.status("GET", "/v1/jobs/mail", "") == 200);
        return job;
    }

    private void enqueue(String... ids) {
        for (String id : ids) {
            var body = "{\"id\":\"" + id + "\",\"delay\":\"0\"}";
            await().atMost(PATIENCE).until(() -> sidecar.status("POST", "/v1/jobs/mail/tasks", body) == 202);
        }
    }

    private HttpResponse<String> send(String method, String path) {
        return sidecar.send(method, path, "").orElseThrow();
    }

    private double delivered(String result) {
        return sidecar.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"" + result + "\"}");
    }
}
