package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.testkit.FakeClock;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Wall clocks that are wrong: those of pods change nothing, that of Redis moves what is due by as much. */
class ClockIT {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void k01_podsWhoseClocksAreADayOffTakeTurnsAsEver() {
        try (var redis = new RedisProcess().start();
                var board = new Board(redis);
                var app = new TestApp();
                var ahead = child("ahead", redis, Duration.ofDays(1));
                var behind = child("behind", redis, Duration.ofDays(-1));
                var right = child("right", redis, Duration.ZERO)) {
            var report = Jobs.singleton("report", app.port(), SECOND, Jobs.policy(Jobs.HELD));
            var mails = Jobs.delayed("mails", app.port(), UnaryOperator.identity());
            board.publish(report, Duration.ZERO);
            board.publish(mails, Duration.ZERO);
            for (var sidecar : List.of(ahead, behind, right)) {
                board.assign(sidecar.uid, report, mails);
                await().atMost(Duration.ofSeconds(60)).until(() -> sidecar.status("GET", "/v1/jobs/mails", "") == 200);
                var day = Duration.ofDays(1).toSeconds();
                var expected = sidecar == ahead ? day : sidecar == behind ? -day : 0;
                await().untilAsserted(() ->
                        assertThat(sidecar.metric("soloist_clock_skew_seconds")).isCloseTo(expected, within(60.0)));
            }

            var runs = app.calls("report").size();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> app.calls("report").size() >= runs + 6);
            var seen = app.calls("report");
            assertThat(seen)
                    .extracting(call -> call.header("Soloist-Scheduled-At"))
                    .doesNotHaveDuplicates();
            for (int i = 1; i < seen.size(); i++) {
                assertThat(seen.get(i).header("Soloist-Fence"))
                        .isGreaterThan(seen.get(i - 1).header("Soloist-Fence"));
            }
            for (var sidecar : List.of(ahead, behind, right)) {
                handInATask(board, mails, app, sidecar);
            }
        }
    }

    /** A delay counts from the moment at which Redis hears of it, whatever the pod thinks it is. */
    private static void handInATask(Board board, JobDefinition mails, TestApp app, ChildSidecar sidecar) {
        var id = "from-" + sidecar.uid;
        var before = board.link.now();
        var body = "{\"id\": \"%s\", \"payload\": {}, \"delay\": \"2s\"}".formatted(id);
        assertThat(sidecar.status("POST", "/v1/jobs/mails/tasks", body)).isEqualTo(202);
        var due = board.queue(mails).inspect(TaskId.of(id)).orElseThrow().dueAt();
        assertThat(due)
                .isBetween(
                        before.plusSeconds(2).minusMillis(1), board.link.now().plusSeconds(2));
        await().until(() -> app.calls("mails").stream()
                .anyMatch(call -> call.header("Soloist-Task").equals(id)));
        assertThat(board.link.now()).isAfterOrEqualTo(due);
    }

    @Test
    void k02_aDelayFromAPodTwoMinutesBehindCountsByTheClockOfRedis() {
        try (var redis = new RedisProcess().start();
                var board = new Board(redis);
                var app = new TestApp();
                var behind = child("late", redis, Duration.ofMinutes(-2))) {
            var mails = Jobs.delayed("mails", app.port(), UnaryOperator.identity());
            board.publish(mails, Duration.ZERO);
            board.assign(behind.uid, mails);
            await().atMost(Duration.ofSeconds(60)).until(() -> behind.status("GET", "/v1/jobs/mails", "") == 200);

            handInATask(board, mails, app, behind);
        }
    }

    @Test
    void k01_aStepOfTheClockOfRedisMovesWhatIsDueAndNeverLowersAFence() {
        var clock = new FakeClock(Duration.ZERO);
        try (var redis = new RedisProcess().with(clock).start();
                var board = new Board(redis);
                var app = new TestApp();
                var one = new TestPod("one", redis.port());
                var two = new TestPod("two", redis.port())) {
            var report = Jobs.singleton("report", app.port(), SECOND, Jobs.policy(Jobs.HELD));
            var mails = Jobs.delayed("mails", app.port(), UnaryOperator.identity());
            board.publish(report, Duration.ZERO);
            board.publish(mails, Duration.ZERO);
            board.assign(one.uid, report, mails);
            board.assign(two.uid, report, mails);
            await().until(() -> app.calls("report").size() >= 2);
            await().until(() -> one.get("/v1/jobs/mails").statusCode() == 200);
            assertThat(one.post("/v1/jobs/mails/tasks", "{\"id\":\"soon\",\"delay\":\"1m\",\"payload\":1}")
                            .statusCode())
                    .isEqualTo(202);
            assertThat(one.post("/v1/jobs/mails/tasks", "{\"id\":\"later\",\"delay\":\"1h\",\"payload\":1}")
                            .statusCode())
                    .isEqualTo(202);

            clock.step(Duration.ofMinutes(10));
            // Early by the step, as documented.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> app.calls("mails").size() == 1);
            var runs = app.calls("report").size();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> app.calls("report").size() >= runs + 2);

            clock.step(Duration.ofMinutes(10).minusSeconds(8));
            // Late by the step, and nothing is lost.
            var ranBefore = app.calls("report").size();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> app.calls("report").size() >= ranBefore + 2);

            var fences = app.calls("report").stream()
                    .map(call -> call.header("Soloist-Fence"))
                    .toList();
            assertThat(fences).isSorted().doesNotHaveDuplicates();
            assertThat(app.mostAtOnce("report")).isEqualTo(1);
            assertThat(board.queue(mails).inspect(TaskId.of("later"))).isPresent();
            assertThat(app.calls("mails")).hasSize(1);
        }
    }

    private static ChildSidecar child(String uid, RedisProcess redis, Duration ahead) {
        return new ChildSidecar(uid, redis.address(), new FakeClock(ahead));
    }
}
