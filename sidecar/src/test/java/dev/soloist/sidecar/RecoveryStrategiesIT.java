package dev.soloist.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.ChildSidecar;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.TestApp;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The four recovery strategies, each with a sidecar whose process is killed in the middle of the work, and another that takes
 * over: what is measured is no more than what is stated for the policy, which for a LockPolicy is its
 * {@code status.worstCaseRecovery}: ttl + watchdog.every + watchdog.grace. No operator is there, which would see the pod end and
 * be quicker. Both sidecars keep the pace of production.
 */
class RecoveryStrategiesIT {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofMillis(500);

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private static Board board;
    private static ChildSidecar survivor;

    @BeforeAll
    static void aPodThatLivesOn() {
        board = new Board(REDIS);
        survivor = new ChildSidecar("survivor", REDIS.address(), 30);
    }

    @AfterAll
    static void end() {
        survivor.close();
        board.close();
    }

    private static LeasePolicy policy(boolean heartbeat, Duration watchdogEvery, Duration maxRunTime) {
        return new LeasePolicy(
                TTL,
                heartbeat,
                TTL.dividedBy(3),
                ReleasePolicy.HOLD_UNTIL_NEXT_RUN,
                Duration.ZERO,
                watchdogEvery,
                GRACE,
                maxRunTime);
    }

    private static JobDefinition hourly(String name, TestApp app, LeasePolicy policy) {
        return Jobs.singleton(name, app.port(), Duration.ofHours(1), policy, new Retry(3, Jobs.backoff()));
    }

    private static Duration stated(LeasePolicy policy) {
        return policy.ttl().plus(policy.watchdogEvery()).plus(policy.grace());
    }

    private static Duration leaseLeft(JobDefinition job) {
        return Objects.requireNonNullElse(board.singletons.snapshot(job.id()).leaseRemaining(), Duration.ZERO);
    }

    /** Kills the pod that has begun the work, at the worst moment, and measures until another has. */
    private Duration measure(JobDefinition job, TestApp app, Runnable untilTheWorstMoment, Runnable atTheKill) {
        var gate = new CountDownLatch(1);
        app.does(TestApp.until(gate));
        try (var victim = new ChildSidecar("victim-of-" + job.id().name(), REDIS.address(), 30)) {
            board.publish(job, Duration.ZERO);
            board.assign(victim.uid, job);
            await().atMost(Duration.ofSeconds(20)).until(() -> app.calls().size() == 1);
            board.assign(survivor.uid, job);
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> survivor.status("GET", "/v1/jobs/" + job.id().name(), "") == 200);
            untilTheWorstMoment.run();

            victim.process().destroyForcibly();
            long killed = System.nanoTime();
            atTheKill.run();

            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> app.calls().size() == 2);
            var measured = Duration.ofNanos(app.calls().get(1).startNanos - killed);
            System.out.printf("recovery of %s: %s%n", job.id().name(), measured);
            return measured;
        } finally {
            gate.countDown();
        }
    }

    @Test
    void heartbeat() {
        try (var app = new TestApp()) {
            var policy = policy(true, Duration.ofSeconds(1), Duration.ofMinutes(5));
            var job = hourly("heartbeat", app, policy);

            var measured = measure(
                    job,
                    app,
                    // Right after a renewal the lease is as long as it can be.
                    () -> await().pollInterval(Duration.ofMillis(10))
                            .until(() -> leaseLeft(job).compareTo(TTL.minusMillis(100)) > 0),
                    () -> {});

            assertThat(measured).isBetween(TTL.minusSeconds(1), stated(policy));
        }
    }

    @Test
    void plainTtl() {
        try (var app = new TestApp()) {
            // The golden rule: ttl > maxRunTime, and watchdog.every > maxRunTime + grace.
            var policy = policy(false, Duration.ofSeconds(5), Duration.ofSeconds(4));
            var job = hourly("plain-ttl", app, policy);

            var measured = measure(job, app, () -> {}, () -> {});

            assertThat(measured).isLessThan(stated(policy));
            assertThat(app.calls().get(1).header("Soloist-Attempt")).isEqualTo("2");
        }
    }

    /** Lock and tokens vanish too: what is left is the record, and only the watchdog's verdict makes the job ready again. */
    @Test
    void watchdog() {
        try (var app = new TestApp()) {
            var policy = policy(true, Duration.ofSeconds(1), Duration.ofMinutes(5));
            var job = hourly("watchdog", app, policy);

            var measured = measure(
                    job,
                    app,
                    () -> {},
                    () -> board.link.call(
                            "DEL",
                            board.keys.lock(job.id()),
                            board.keys.ready(job.id()),
                            board.keys.delayed(job.id())));

            assertThat(measured).isLessThan(stated(policy));
            assertThat(survivor.metric("soloist_watch_verdicts_total{djob=\"watchdog\",verdict=\"abandoned\"}"))
                    .isEqualTo(1);
        }
    }

    /** Stated for a delayed job is its own {@code status.worstCaseRecovery}. */
    @Test
    void reliableQueue() {
        try (var app = new TestApp()) {
            var visibility = Duration.ofSeconds(4);
            var job = Jobs.delayed("reliable-queue", app.port(), work -> Jobs.withVisibility(work, visibility));
            var stated = ((DelayedWork) job.work()).worstCaseRecovery();
            var gate = new CountDownLatch(1);
            app.does(TestApp.until(gate));
            try (var victim = new ChildSidecar("victim-of-the-queue", REDIS.address(), 30)) {
                board.publish(job, Duration.ZERO);
                board.assign(victim.uid, job);
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> victim.status(
                                        "POST", "/v1/jobs/reliable-queue/tasks", "{\"id\":\"one\",\"delay\":\"0\"}")
                                == 202);
                await().atMost(Duration.ofSeconds(10)).until(() -> app.calls().size() == 1);
                board.assign(survivor.uid, job);
                await().atMost(Duration.ofSeconds(15))
                        .until(() -> survivor.status("GET", "/v1/jobs/reliable-queue", "") == 200);

                victim.process().destroyForcibly();
                long killed = System.nanoTime();

                await().atMost(Duration.ofSeconds(30))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> app.calls().size() == 2);
                var measured = Duration.ofNanos(app.calls().get(1).startNanos - killed);
                System.out.printf("recovery of reliable-queue: %s%n", measured);
                // A second for the kill and for what this test itself does on a busy machine.
                assertThat(measured).isLessThan(stated.plusSeconds(1));
                assertThat(app.calls().get(1).header("Soloist-Attempt")).isEqualTo("2");
            } finally {
                gate.countDown();
            }
        }
    }
}
