package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Misfire;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.RunSummary;
import dev.soloist.coordination.singleton.TriggerNow;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MisfireIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void d08_oneRunStandsForAllSlotsThatWereMissed() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("one", REDIS.port())) {
            var job = missSlots(board, pod, app.port(), Misfire.RUN_ONCE);
            await().until(() -> board.singletons.history(job.id()).size() >= 3);

            var calls = app.calls();
            assertThat(missed(calls.get(0))).isGreaterThanOrEqualTo(5);
            // No burst: what follows the catching up comes in its own time.
            var runs = board.singletons.history(job.id()).reversed();
            for (int i = 1; i < 3; i++) {
                assertThat(slot(calls.get(i))).isAfter(runs.get(i - 1).start());
            }
            assertThat(board.singletons.history(job.id())).noneMatch(run -> run.result() == RunResult.SKIPPED);
        }
    }

    @Test
    void d08_missedSlotsArePassedOverWhenThePolicySaysSo() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("one", REDIS.port())) {
            var job = missSlots(board, pod, app.port(), Misfire.SKIP);
            await().until(() -> app.calls().size() >= 2);

            assertThat(app.calls())
                    .allMatch(call -> call.header("Soloist-Missed").equals("0"));
            var first = board.singletons.history(job.id()).getLast();
            assertThat(first.result()).isEqualTo(RunResult.SKIPPED);
            assertThat(slot(app.calls().getFirst())).isAfter(first.end());
            assertThat(board.singletons.snapshot(job.id()).fails()).isZero();
            await().until(() -> pod.metric("soloist_runs_total{djob=\"report\",result=\"skipped\"}") >= 1);
        }
    }

    @Test
    void aRunThatSomebodyAskedForIsNotPassedOver() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("one", REDIS.port())) {
            var gate = new CountDownLatch(1);
            app.does(TestApp.until(gate));
            var job = skipping(app.port());
            board.publish(job, Duration.ofHours(1));
            assertThat(board.singletons.triggerNow(job.id(), true)).isInstanceOf(TriggerNow.Triggered.class);
            var asked = board.link.now();
            await().until(() -> board.link.now().isAfter(asked.plusMillis(2500)));
            board.assign(pod.uid, job);
            await().until(() -> app.calls().size() == 1);

            // And once more while that run goes on for longer than a period.
            assertThat(board.singletons.triggerNow(job.id(), true)).isInstanceOf(TriggerNow.AfterRun.class);
            var again = board.link.now();
            await().until(() -> board.link.now().isAfter(again.plusMillis(2500)));
            gate.countDown();
            await().until(() -> app.calls().size() >= 3);

            // Those that were asked for; a slot after them may be missed.
            assertThat(board.singletons.history(job.id()).reversed().subList(0, 2))
                    .noneMatch(run -> run.result() == RunResult.SKIPPED);
            assertThat(missed(app.calls().get(2))).isZero();
        }
    }

    @Test
    void aRunThatARolloutInterruptsIsDoneByTheNextPodHoweverManySlotsHavePassed() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var pod = new TestPod("one", REDIS.port());
                var next = new TestPod("two", REDIS.port())) {
            var job = skipping(app.port());
            board.publish(job, Duration.ZERO);
            board.assign(pod.uid, job);
            await().until(() -> app.calls().size() == 1);
            var interrupted = slot(app.calls().getFirst());

            // Of these, three seconds are for what follows the run.
            pod.sidecar().stop(Duration.ofSeconds(9));
            assertThat(app.cancels()).isNotEmpty();
            await().until(() -> board.link.now().isAfter(interrupted.plusMillis(2500)));
            board.assign(next.uid, job);
            await().until(() -> app.calls().size() == 2);

            var second = app.calls().get(1);
            assertThat(slot(second)).isEqualTo(interrupted);
            assertThat(second.header("Soloist-Attempt")).isEqualTo("1");
            assertThat(Integer.parseInt(second.header("Soloist-Missed"))).isPositive();
            assertThat(board.singletons.history(job.id()))
                    .filteredOn(run -> interrupted.equals(run.slot()))
                    .extracting(RunSummary::result)
                    .containsExactly(RunResult.INTERRUPTED);

            gate.countDown();
            await().until(() -> app.calls().size() >= 3);
            assertThat(slot(app.calls().get(2))).isAfter(interrupted);
        }
    }

    @Test
    void d08_slotsThatPassDuringARunAreNotMadeUpFor() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var pod = new TestPod("one", REDIS.port())) {
            var job = Jobs.singleton("report", app.port(), Duration.ofSeconds(1), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ZERO);
            board.assign(pod.uid, job);
            await().until(() -> app.calls().size() == 1);
            var hung = slot(app.calls().getFirst());
            await().until(() -> board.link.now().isAfter(hung.plusSeconds(5)));
            gate.countDown();
            await().until(() -> board.singletons.history(job.id()).size() >= 3);

            var runs = board.singletons.history(job.id()).reversed();
            for (int i = 1; i < 3; i++) {
                var call = app.calls().get(i);
                var late = Duration.between(slot(call), runs.get(i).start());
                assertThat(missed(call)).as("late by %s", late).isLessThanOrEqualTo((int) late.toSeconds());
            }
            assertThat(slot(app.calls().get(1))).isAfter(hung.plusSeconds(5));
        }
    }

    /** Nobody takes part for the time of some slots. */
    private static JobDefinition missSlots(Board board, TestPod pod, int port, Misfire misfire) {
        var job = with(misfire, port);
        board.publish(job, Duration.ZERO);
        var due = board.singletons.snapshot(job.id()).due();
        await().until(() -> board.link.now().isAfter(due.plusMillis(5200)));
        board.assign(pod.uid, job);
        return job;
    }

    private static JobDefinition skipping(int port) {
        return with(Misfire.SKIP, port);
    }

    private static JobDefinition with(Misfire misfire, int port) {
        var plain = Jobs.singleton("report", port, Duration.ofSeconds(1), Jobs.policy(Jobs.HELD));
        var work = (SingletonWork) plain.work();
        return new JobDefinition(
                plain.id(),
                plain.uid(),
                plain.generation(),
                plain.term(),
                false,
                plain.trigger(),
                plain.policy(),
                new SingletonWork(work.schedule(), misfire, work.retry()));
    }

    private static int missed(TestApp.Call call) {
        return Integer.parseInt(call.header("Soloist-Missed"));
    }

    private static Instant slot(TestApp.Call call) {
        return Instant.parse(call.header("Soloist-Scheduled-At"));
    }
}
