package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.singleton.Claim;
import dev.soloist.coordination.singleton.ClaimRequest;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonState;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.OwnTime;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens to a lease when the network, Redis or a hand gets in the way. */
class LeaseFaultsIT {

    /** Where a lease is to end; elsewhere it is {@link Jobs#HELD}. Its holder uses a second less of it. */
    private static final Duration TTL = Duration.ofSeconds(10);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    @Test
    void l01_noRenewalOutlivesItsRun() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            app.does(call -> TestApp.taking(
                            Duration.ofMillis(ThreadLocalRandom.current().nextInt(6)))
                    .answer(call));
            var job = Jobs.singleton("short", app.port(), Duration.ofMillis(1), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().atMost(PATIENCE).until(() -> {
                pod.link.delay(Duration.ofMillis(ThreadLocalRandom.current().nextInt(20)));
                return app.calls().size() >= 300;
            });
            pod.link.delay(Duration.ZERO);

            board.singletons.suspend(job.id());

            await().until(() -> board.singletons.snapshot(job.id()).state() == SingletonState.PAUSED);
            await().until(() -> pod.metric("soloist_renew_timers") == 0);
            assertThat(board.link.call("EXISTS", board.keys.lock(job.id()))).containsExactly(0L);
            await().until(() -> pod.metric("soloist_lease_held{djob=\"short\"}") == 0);
        }
    }

    @Test
    void l02_aLeaseTakenAfterACutIsRenewed() {
        var first = new CountDownLatch(1);
        var second = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            app.does(call ->
                    TestApp.until(app.calls().size() == 1 ? first : second).answer(call));
            var job = Jobs.singleton(
                    "report", app.port(), Duration.ofMillis(100), Jobs.policy(TTL), new Retry(3, Jobs.backoff()));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);

            long cut = OwnTime.nanos();
            pod.link.cut();
            await().until(() -> !app.cancels().isEmpty());
            assertThat(OwnTime.since(cut)).isLessThan(TTL);
            pod.link.heal();

            await().until(() -> app.calls().size() == 2);
            double before = pod.metric("soloist_renewals_total{djob=\"report\",result=\"renewed\"}");
            await().until(() ->
                    pod.metric("soloist_renewals_total{djob=\"report\",result=\"renewed\"}") >= before + 10);
            assertThat(app.calls()).hasSize(2);
            second.countDown();
        }
    }

    @Test
    void l04_aDeletedLockStopsTheAppAndTheJobGoesOn() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            app.does(call -> app.calls().size() == 1 ? TestApp.until(gate).answer(call) : 200);
            var job = Jobs.singleton(
                    "report", app.port(), Duration.ofMillis(100), Jobs.policy(TTL), new Retry(3, Jobs.backoff()));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);

            board.link.call("DEL", board.keys.lock(job.id()));

            await().until(() -> !app.cancels().isEmpty());
            assertThat(app.cancels().getFirst())
                    .isEqualTo("run=" + app.calls().getFirst().header("Soloist-Run"));
            await().until(() -> app.calls().size() >= 3);
            assertThat(pod.metric("soloist_lease_lost_total{cause=\"lease\",djob=\"report\"}"))
                    .isEqualTo(1);
            assertThat(board.singletons.history(job.id()).stream().map(run -> run.result()))
                    .contains(RunResult.ABORTED, RunResult.SUCCEEDED);
        }
    }

    @Test
    void l06_aGrantWhoseAnswerWasLostStartsOneRun() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton("report", app.port(), Duration.ofHours(1), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ofHours(1));
            board.assign("a", job);
            await().until(() -> pod.get("/v1/jobs/report").statusCode() == 200);

            pod.link.delay(Duration.ofMillis(2500));
            board.singletons.triggerNow(job.id(), true);
            await().until(() -> pod.metric("soloist_claims_total{djob=\"report\",result=\"error\"}") >= 1
                    && board.singletons.snapshot(job.id()).state() == SingletonState.RUNNING);
            var granted = board.singletons.snapshot(job.id()).current();
            assertThat(app.calls()).isEmpty();
            pod.link.heal();

            await().until(() -> app.calls().size() == 1);
            assertThat(granted).isNotNull();
            assertThat(app.calls().getFirst().header("Soloist-Fence"))
                    .isEqualTo(granted.fence().toString());
            await().until(() -> board.singletons.snapshot(job.id()).state() == SingletonState.DELAYED);
            assertThat(app.calls()).hasSize(1);
        }
    }

    @Test
    void l07_aConnectionThatBreaksDuringAClaimIsNeverAGrant() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var appOfA = new TestApp().does(TestApp.until(gate));
                var appOfB = new TestApp();
                var a = new TestPod("a", REDIS.port())) {
            var job = Jobs.singleton("report", appOfA.port(), Duration.ofHours(1), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> appOfA.calls().size() == 1);
            try (var b = new TestPod("b", REDIS.port())) {
                board.assign("b", job);
                await().until(() -> b.get("/v1/jobs/report").statusCode() == 200);
                for (int i = 0; i < 30; i++) {
                    b.link.dropReplies();
                    board.link.call("PUBLISH", board.keys.jobWake(job.id()), "ready");
                    int before = b.link.droppedReplies();
                    await().until(() -> b.link.droppedReplies() > before || b.metric("soloist_store_up") == 0);
                    b.link.heal();
                    await().until(() -> b.metric("soloist_store_up") == 1);
                }
                assertThat(b.metric("soloist_runs_total{djob=\"report\",result=\"succeeded\"}"))
                        .isZero();
                assertThat(b.metric("soloist_lease_held{djob=\"report\"}")).isZero();
            }
            assertThat(appOfA.calls()).hasSize(1);
            assertThat(appOfB.calls()).isEmpty();
            gate.countDown();
        }
    }

    @Test
    void l09_aShortJobRunsOnceInEachSlot() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port());
                var c = new TestPod("c", REDIS.port())) {
            var job = Jobs.singleton("report", app.port(), Duration.ofMillis(300), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ofMillis(500));
            for (var pod : List.of(a, b, c)) {
                board.assign(pod.uid, job);
            }

            await().atMost(PATIENCE).until(() -> app.calls().size() >= 30);

            var slots = app.calls().stream()
                    .map(call -> call.header("Soloist-Scheduled-At"))
                    .toList();
            assertThat(slots).doesNotHaveDuplicates().isSorted();
        }
    }

    @Test
    void l10_aRunLongerThanItsLeaseIsNotDisturbedAndAfterAKillAnotherPodTakesOver() {
        var gate = new CountDownLatch(1);
        try (var board = new Board(REDIS);
                var app = new TestApp().does(TestApp.until(gate));
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port())) {
            var ttl = Duration.ofSeconds(6);
            var job = Jobs.singleton("report", app.port(), Duration.ofMillis(100), Jobs.policy(ttl));
            board.publish(job, Duration.ZERO);
            board.assign("a", job);
            await().until(() -> app.calls().size() == 1);
            board.assign("b", job);
            var twice = app.calls().getFirst().startNanos + ttl.multipliedBy(2).toNanos();
            await().until(() -> System.nanoTime() - twice > 0);
            assertThat(a.metric("soloist_renewals_total{djob=\"report\",result=\"renewed\"}"))
                    .isGreaterThanOrEqualTo(2);
            assertThat(app.calls()).hasSize(1);

            a.kill();

            await().until(() -> app.calls().size() == 2);
            assertThat(app.calls().get(1).header("Soloist-Fence"))
                    .isGreaterThan(app.calls().get(0).header("Soloist-Fence"));
            gate.countDown();
        }
    }

    @Test
    void t08_watchdogsLeaveALongRunAlone() {
        try (var board = new Board(REDIS);
                var app = new TestApp()) {
            app.does(TestApp.taking(Duration.ofSeconds(6)));
            var job = Jobs.singleton("report", app.port(), Duration.ofMillis(100), Jobs.policy(Duration.ofSeconds(5)));
            board.publish(job, Duration.ZERO);
            var pods = new ArrayList<TestPod>();
            for (var uid : List.of("a", "b", "c", "d", "e")) {
                pods.add(new TestPod(uid, REDIS.port()));
                board.assign(uid, job);
            }

            await().atMost(PATIENCE).until(() -> {
                assertThat((Long) board.link
                                .call("LLEN", board.keys.ready(job.id()))
                                .getFirst())
                        .isLessThanOrEqualTo(1);
                return app.calls().size() >= 4;
            });

            var calls = app.calls();
            for (int i = 1; i < calls.size() - 1; i++) {
                assertThat(calls.get(i).startNanos).isGreaterThanOrEqualTo(calls.get(i - 1).endNanos);
            }
            pods.forEach(TestPod::close);
        }
    }

    @Test
    void t09_aLockHeldByHandKeepsTheTokenAndDelaysTheRun() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var a = new TestPod("a", REDIS.port());
                var b = new TestPod("b", REDIS.port())) {
            var job = Jobs.singleton("report", app.port(), Duration.ofHours(1), Jobs.policy(Jobs.HELD));
            board.publish(job, Duration.ofMillis(300));
            board.link.call("SET", board.keys.lock(job.id()), "by-hand", "PX", "6000");
            board.assign("a", job);
            board.assign("b", job);

            await().until(() -> board.singletons.snapshot(job.id()).state() == SingletonState.READY);
            await().until(() -> {
                int calls = app.calls().size();
                boolean held = isHeldByHand(board, job);
                if (held) {
                    assertThat(calls).isZero();
                }
                return !held;
            });

            await().until(() -> app.calls().size() == 1);
            assertThat(a.metric("soloist_watch_verdicts_total{djob=\"report\",verdict=\"lostToken\"}")
                            + b.metric("soloist_watch_verdicts_total{djob=\"report\",verdict=\"lostToken\"}"))
                    .isZero();
        }
    }

    private static boolean isHeldByHand(Board board, JobDefinition job) {
        var holder = board.link.call("GET", board.keys.lock(job.id())).getFirst();
        return holder instanceof byte[] text && new String(text, StandardCharsets.UTF_8).equals("by-hand");
    }

    @Test
    void aSilentHoldersRunIsNotAskedForAllTheTimeUntilTheWatchdogMayEndIt() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var patient = new LeasePolicy(
                    Jobs.HELD,
                    true,
                    Duration.ofMillis(500),
                    ReleasePolicy.ON_COMPLETION,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(8),
                    Duration.ofMinutes(5));
            var job = Jobs.singleton("report", app.port(), Duration.ofHours(1), patient, new Retry(3, Jobs.backoff()));
            board.publish(job, Duration.ZERO);
            var silent = new ClaimRequest(
                    job.term(),
                    InstanceId.create("gone"),
                    "gone",
                    Nonce.create(),
                    Duration.ofMillis(100),
                    board.link.now().plusSeconds(60));
            assertThat(board.singletons.claim(job.id(), silent)).isInstanceOf(Claim.Claimed.class);

            long begun = System.nanoTime();
            board.assign("a", job);

            await().until(() -> app.calls().size() == 1);
            var waited = Duration.ofNanos(System.nanoTime() - begun);
            // A look each half second, as anybody's; some more for messages.
            assertThat(pod.metric("soloist_claims_total{djob=\"report\",result=\"refused\"}"))
                    .isBetween(1.0, 10 + waited.toMillis() / 400.0);
        }
    }

    @Test
    void f03_scriptsThatTheServerHasForgottenAreSentAgain() {
        try (var board = new Board(REDIS);
                var app = new TestApp();
                var pod = new TestPod("a", REDIS.port())) {
            var report = Jobs.singleton("report", app.port(), Duration.ofMillis(100), Jobs.policy(Jobs.HELD));
            var mail = Jobs.delayed("mail", app.port(), work -> work);
            board.publish(report, Duration.ZERO);
            board.publish(mail, Duration.ZERO);
            board.assign("a", report, mail);
            await().until(() -> pod.get("/v1/jobs/mail").statusCode() == 200);

            for (int i = 0; i < 30; i++) {
                board.link.call("SCRIPT", "FLUSH");
                assertThat(pod.post("/v1/jobs/mail/tasks", "{\"id\":\"t" + i + "\",\"delay\":\"10ms\"}")
                                .statusCode())
                        .isEqualTo(202);
                assertThat(pod.get("/v1/jobs/report").statusCode()).isEqualTo(200);
            }

            await().until(() -> app.calls().stream()
                            .filter(call -> call.headers.containsKey("Soloist-Task"))
                            .count()
                    == 30);
            assertThat(pod.loopErrors()).isZero();
        }
    }
}
