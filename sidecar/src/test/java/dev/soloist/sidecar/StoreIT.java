package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The store may be absent, appear late, move, or want another password; the pod stays up and follows. */
class StoreIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void withoutAStoreThePodIsReadyAndTheApiSaysComeBackLater() {
        try (var pod = new TestPod("a", REDIS.port())) {
            pod.store("");
            pod.link.cut();
            await().until(() -> pod.metric("soloist_store_up") == 0);

            var answer = pod.post("/v1/jobs/mail/tasks", "{\"delay\":\"1s\"}");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            for (var probe : new String[] {"/livez", "/readyz", "/startupz", "/metrics"}) {
                assertThat(pod.metrics(probe).statusCode()).as(probe).isEqualTo(200);
            }
        }
    }

    @Test
    void anAddressThatAppearsLaterIsFollowedWithoutARestart() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", RedisProcess.freePort())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            assertThat(pod.get("/v1/jobs/mail").statusCode()).isEqualTo(503);

            pod.store(REDIS.address());

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        }
    }

    @Test
    void aRotatedPasswordIsFollowedWithoutARestart() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);
            try {
                board.link.call("CONFIG", "SET", "requirepass", "new-secret");
                board.link.call("AUTH", "new-secret");
                pod.link.cut();
                await().until(() -> pod.metric("soloist_store_up") == 0);
                pod.link.heal();
                assertThat(pod.get("/v1/jobs/mail").statusCode()).isEqualTo(503);

                pod.store(StoreFile.PASSWORD, "new-secret\n");

                await().atMost(Duration.ofSeconds(60))
                        .until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
            } finally {
                board.link.call("CONFIG", "SET", "requirepass", "");
            }
        }
    }

    @Test
    void aStoreThatWasEmptiedIsTakenUpAgain() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            board.link.call("FLUSHALL");

            var answer = pod.post("/v1/jobs/mail/tasks", "{\"id\":\"a\",\"delay\":\"100ms\"}");
            assertThat(answer.statusCode()).isEqualTo(202);
            await().until(() -> app.calls().size() == 1);
        }
    }

    @Test
    void jobsComeAndGoWithTheBoard() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.offer(job, pod);

            board.withdraw(job.id());
            await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 404);
            await().until(() -> !pod.metrics().contains("djob=\"mail\""));

            board.publish(job, Duration.ZERO);
            await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
        }
    }

    @Test
    void aPodThatIsNotEligibleEnqueuesButNeitherRunsNorDelivers() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var mail = Jobs.delayed("mail", app.port(), work -> work);
            var report = Jobs.singleton("report", app.port(), Duration.ofMillis(100), Jobs.policy(Jobs.HELD));
            board.publish(mail, Duration.ZERO);
            board.publish(report, Duration.ZERO);
            board.assign("a", false, mail, report);
            await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);
            assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":\"a\",\"delay\":\"0\"}")
                            .statusCode())
                    .isEqualTo(202);
            await().during(Duration.ofSeconds(1)).until(() -> app.calls().isEmpty());

            board.assign("a", true, mail, report);

            await().until(() -> app.calls().size() >= 3);
        }
    }
}
