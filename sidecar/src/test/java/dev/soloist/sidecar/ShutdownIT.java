package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a sidecar ends, and what others can do at once after it. */
class ShutdownIT {

    /** No await lasts so long: what another pod has before was given back. */
    private static final Duration LONG_TTL = Duration.ofMinutes(10);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void s02_anEndingSidecarGivesItsRunBackAsSoonAsTheAppHasStopped() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port())) {
            var job = runningIn(board, app, a);
            board.assign("b", job);
            await().until(() -> b.get("/v1/jobs/report").statusCode() == 200);

            a.sidecar().stop(Duration.ofSeconds(15));

            await().until(() -> app.calls().size() == 2);
            assertThat(app.cancels()).contains("run=" + app.calls().getFirst().header("Soloist-Run"));
            assertThat(app.calls().get(1).header("Soloist-Attempt")).isEqualTo("1");
            gate.countDown();
        }
    }

    @Test
    void s02_anEndingSidecarWhoseAppHasEndedGivesItsRunBackAtOnce() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port())) {
            var job = runningIn(board, app, a);
            board.assign("b", job);
            await().until(() -> b.get("/v1/jobs/report").statusCode() == 200);
            app.close();

            // Longer than any test may take: it does not wait for the app.
            a.sidecar().stop(Duration.ofMinutes(10));

            await().until(() -> board.singletons.snapshot(job.id()).current() == null);
        }
    }

    @Test
    void anOrdinarySidecarKeepsTheLeaseForAnAppThatDoesNotListenAnyMoreAndMayBeAtWork() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var a = TestPod.withOrdinarySidecar("a", REDIS.port())) {
            var job = runningIn(board, app, a);
            app.close();

            a.sidecar().stop(Duration.ofSeconds(5));

            assertThat(board.singletons.snapshot(job.id()).current()).isNotNull();
        }
    }

    @Test
    void anEndingSidecarWaitsForARunThatEndsInTime() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var a = new TestPod("a", REDIS.port())) {
            var job = runningIn(board, app, a);
            var stopping = Thread.ofVirtual().start(() -> a.sidecar().stop(Duration.ofMinutes(1)));
            await().until(() -> a.metrics("/readyz").statusCode() == 503);

            gate.countDown();

            await().until(() -> !stopping.isAlive());
            assertThat(app.cancels()).isEmpty();
            assertThat(board.singletons.history(job.id()).getFirst().result().name())
                    .isEqualTo("SUCCEEDED");
        }
    }

    @Test
    void s03_aSidecarCutOffFromRedisEndsWithinItsBudgetAndWithCodeZero() throws InterruptedException {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var link = new FaultyLink(REDIS.port());
                var child = new ChildSidecar("a", link.address(), 12)) {
            var job = Jobs.singleton("report", app.port(), Duration.ofHours(1), Jobs.policy(LONG_TTL));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);
            app.answersCancelWith(500);

            link.cut();
            child.process().destroy();

            // Its lease and its app would keep it for much longer.
            assertThat(child.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(child.process().exitValue()).isZero();
            assertThat(child.logText()).contains("left for others: job shop/report");
            gate.countDown();
        }
    }

    @Test
    void i04_theApiAnswersUntilTheSidecarHasEndedAndAnotherPodAdoptsTheTasks() throws InterruptedException {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp()
                        .does(call -> call.header("Soloist-Task").equals("busy")
                                ? TestApp.until(gate).answer(call)
                                : 200);
                var child = new ChildSidecar("a", REDIS.address(), 30)) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> child.status("GET", "/v1/jobs/mail", "") == 200);
            assertThat(child.status("POST", "/v1/jobs/mail/tasks", "{\"id\":\"busy\",\"delay\":\"0\"}"))
                    .isEqualTo(202);
            await().until(() -> app.calls().size() == 1);

            board.assign("a", false, job);
            child.process().destroy();
            await().until(() -> child.probe("/readyz") == 503);
            for (int i = 0; i < 20; i++) {
                assertThat(child.status("POST", "/v1/jobs/mail/tasks", "{\"id\":\"t" + i + "\",\"delay\":\"1s\"}"))
                        .isEqualTo(202);
            }
            gate.countDown();

            assertThat(child.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(child.process().exitValue()).isZero();
            assertThat(board.queue(job).counts(List.of()).inFlight()).isZero();
            try (var other = new TestPod("b", REDIS.port())) {
                board.assign("b", job);
                await().until(() -> app.calls().size() == 21);
                await().until(() -> other.metric("soloist_adopted_segments_total{djob=\"mail\"}") == 1);
            }
        }
    }

    @Test
    void s01_tasksInTheHandsOfAKilledProcessAreDeliveredAgain() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp()
                        .does(call -> call.header("Soloist-Attempt").equals("1") && gate.getCount() > 0
                                ? TestApp.until(gate).answer(call)
                                : 200);
                var child = new ChildSidecar("a", REDIS.address(), 30)) {
            var job = Jobs.delayed("mail", app.port(), work -> work);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> child.status("GET", "/v1/jobs/mail", "") == 200);
            for (int i = 0; i < 10; i++) {
                child.status("POST", "/v1/jobs/mail/tasks", "{\"id\":\"t" + i + "\",\"delay\":\"0\"}");
            }
            for (int i = 10; i < 30; i++) {
                child.status("POST", "/v1/jobs/mail/tasks", "{\"id\":\"t" + i + "\",\"delay\":\"2s\"}");
            }
            await().until(() -> app.calls().size() == 10);

            child.process().destroyForcibly();
            gate.countDown();
            board.instances(job)
                    .list()
                    .forEach(dead -> board.instances(job).fence(dead.id(), new Evidence.Terminated()));

            try (var other = new TestPod("b", REDIS.port())) {
                board.assign("b", job);
                await().atMost(Duration.ofSeconds(60))
                        .until(() ->
                                other.metric("soloist_tasks_delivered_total{djob=\"mail\",result=\"acked\"}") == 30);
                assertThat(app.calls()).hasSize(40);
            }
        }
    }

    @Test
    void aKilledProcessIsFollowedByAnotherPodAfterItsLease() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var child = new ChildSidecar("a", REDIS.address(), 30);
                var b = new TestPod("b", REDIS.port())) {
            var job = Jobs.singleton(
                    "report",
                    app.port(),
                    Duration.ofHours(1),
                    Jobs.policy(Duration.ofSeconds(6)),
                    new Retry(3, Jobs.backoff()));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);
            board.assign("b", job);
            await().until(() -> b.get("/v1/jobs/report").statusCode() == 200);

            child.process().destroyForcibly();

            await().until(() -> app.calls().size() == 2);
            gate.countDown();
        }
    }

    @Test
    void aSidecarThatStartsAgainTakesTheRunOfItsPredecessorWhenTheAppAcknowledgesTheCancel() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var a = new TestPod("a", REDIS.port())) {
            runningIn(board, app, a);
            a.kill();

            a.restart();

            await().until(() -> app.calls().size() == 2);
            assertThat(app.cancels()).contains("run=" + app.calls().getFirst().header("Soloist-Run"));
            gate.countDown();
        }
    }

    @Test
    void training_endsByItselfWithCodeZero() throws InterruptedException {
        try (var child = new ChildSidecar("a", "127.0.0.1:1", 30, "--train")) {
            assertThat(child.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(child.process().exitValue()).as(child.logText()).isZero();
        }
    }

    private static JobDefinition runningIn(Board board, TestApp app, TestPod pod) {
        var job = Jobs.singleton(
                "report", app.port(), Duration.ofHours(1), Jobs.policy(LONG_TTL), new Retry(3, Jobs.backoff()));
        board.publish(job, Duration.ZERO);
        board.assign(pod.uid, job);
        await().until(() -> app.calls().size() == 1);
        return job;
    }
}
