package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a run ends when the app fails, hangs, dies, is busy, or the job is deleted under it. */
class RunEndsIT {

    private static final Retry TWICE = new Retry(2, Jobs.backoff());

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void aRunBeyondItsLongestTimeIsCancelledAndSettledAtOnceWhenTheAppAcknowledges() {
        var never = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(never));
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton(
                    "report", app.port(), Duration.ofHours(1), Jobs.policy(Jobs.HELD, Duration.ofSeconds(2)), TWICE);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);

            await().until(() -> board.singletons.history(job.id()).size() == 3);

            assertThat(board.singletons.history(job.id())).allMatch(run -> run.result() == RunResult.TIMED_OUT);
            // A machine that stands still may end a run before its app sees it.
            assertThat(app.calls().stream().map(call -> call.header("Soloist-Attempt")))
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .isSubsetOf("1", "2", "3")
                    .isNotEmpty();
            assertThat(app.calls().stream()
                            .map(call -> call.header("Soloist-Scheduled-At"))
                            .distinct())
                    .hasSize(1);
            await().until(() -> pod.metric("soloist_runs_total{djob=\"report\",result=\"failed\"}") == 3);
            never.countDown();
        }
    }

    @Test
    void anAppThatDoesNotAcknowledgeTheCancelKeepsItsLeaseToTheEnd() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate)).answersCancelWith(500);
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton(
                    "report",
                    app.port(),
                    Duration.ofHours(1),
                    Jobs.policy(Duration.ofSeconds(3), Duration.ofSeconds(1)),
                    TWICE);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.cancels().size() >= 1);

            await().until(() -> app.calls().size() >= 2);

            assertThat(Duration.ofNanos(
                            app.calls().get(1).startNanos - app.calls().get(0).startNanos))
                    .isGreaterThan(Duration.ofSeconds(3));
            await().until(() -> pod.metric("soloist_store_up") == 1);
            gate.countDown();
        }
    }

    @Test
    void anAppThatDiesInMidRunKeepsTheLeaseToItsEndForItsContainerMayBeAtWork() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var pod = new TestPod("a", REDIS.port())) {
            var app = new TestApp().does(TestApp.until(gate));
            int port = app.port();
            var job = Jobs.singleton("report", port, Duration.ofHours(1), Jobs.policy(Duration.ofSeconds(10)), TWICE);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);

            app.close();
            long died = System.nanoTime();

            await().until(() -> board.singletons.snapshot(job.id()).current() == null);
            // Less than the lease by what a busy machine may take for its last renewal; given back it would be at once.
            assertThat(Duration.ofNanos(System.nanoTime() - died)).isGreaterThan(Duration.ofSeconds(3));
            try (var back = new TestApp(port)) {
                await().until(() -> back.calls().size() == 1);
                assertThat(back.calls().getFirst().header("Soloist-Attempt")).isEqualTo("2");
            }
            await().until(() -> pod.metric("soloist_store_up") == 1);
        }
    }

    @Test
    void aBusyAppLeavesTheRunToAnotherPodWithoutCountingAnAttempt() {
        try (var board = new Board(REDIS);
                var busy = new TestApp().does(call -> 503).withHeader("Retry-After", "30");
                var a = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton("report", busy.port(), Duration.ofHours(1), Jobs.policy(Jobs.HELD), TWICE);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> a.metric("soloist_runs_total{djob=\"report\",result=\"givenBack\"}") == 1);
            assertThat(board.singletons.snapshot(job.id()).state()).isEqualTo(SingletonState.READY);
            busy.does(call -> 200);

            try (var b = new TestPod("b", REDIS.port())) {
                board.assign("b", job);

                await().until(() -> busy.calls().size() == 2);
                assertThat(busy.calls().get(1).header("Soloist-Attempt")).isEqualTo("1");
                await().until(() -> b.metric("soloist_runs_total{djob=\"report\",result=\"succeeded\"}") == 1);
            }
        }
    }

    @Test
    void anAbsentAppTakesNoLeaseFromTheOthers() {
        try (var board = new Board(REDIS);
                var pod = new TestPod("a", REDIS.port())) {
            int port = RedisProcess.freePort();
            var job = Jobs.singleton("report", port, Duration.ofHours(1), Jobs.policy(Jobs.HELD), TWICE);
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> pod.metric("soloist_runs_total{djob=\"report\",result=\"givenBack\"}") == 1);
            await().during(Duration.ofSeconds(2))
                    .until(() -> pod.metric("soloist_runs_total{djob=\"report\",result=\"givenBack\"}") == 1);

            try (var app = new TestApp(port)) {
                await().until(() -> app.calls().size() == 1);
                assertThat(app.calls().getFirst().header("Soloist-Attempt")).isEqualTo("1");
            }
        }
    }

    @Test
    void aDeletedJobStopsItsRunAtOnce() {
        var never = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(never));
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton("report", app.port(), Duration.ofHours(1), Jobs.policy(Duration.ofMinutes(10)));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);

            board.singletons.delete(job.id(), job.uid());

            // Long before its lease ends.
            await().until(() -> board.singletons.snapshot(job.id()).state() == SingletonState.DELETED);
            assertThat(app.cancels()).hasSize(1);
            await().until(() -> pod.metric("soloist_runs_total{djob=\"report\",result=\"aborted\"}") == 1);
            never.countDown();
        }
    }
}
