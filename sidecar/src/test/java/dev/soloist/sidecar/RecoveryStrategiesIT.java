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
import dev.soloist.sidecar.testkit.OwnTime;
import dev.soloist.sidecar.testkit.TestApp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TRIES = 3;

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

    /** From the kill to the next call, as this process has lived it and by the clock on the wall. */
    private record Measured(Duration own, Duration wall) {

        boolean isWithin(Duration stated) {
            return !wall.isNegative() && own.compareTo(stated) < 0;
        }
    }

    /** What is done to a job of the given name, whose app is there. */
    private interface Experiment {
        Measured once(String job, TestApp app);
    }

    /** A machine that gives one of the processes nothing to run on for a while proves nothing: then it is measured again. */
    private static void holds(String name, Predicate<Measured> rule, Experiment experiment) {
        var all = new ArrayList<Measured>();
        do {
            try (var app = new TestApp()) {
                all.add(experiment.once(name + "-" + all.size(), app));
                System.out.printf("recovery of %s: %s%n", name, all.getLast());
            }
        } while (!rule.test(all.getLast()) && all.size() < TRIES);
        assertThat(rule.test(all.getLast())).as("%s", all).isTrue();
    }

    /** Kills the pod that has begun the work, at the worst moment, and measures until another has. */
    private static Measured measure(
            JobDefinition job,
            TestApp app,
            Consumer<ChildSidecar> begin,
            Runnable untilTheWorstMoment,
            Runnable atTheKill) {
        var gate = new CountDownLatch(1);
        app.does(TestApp.until(gate));
        var name = job.id().name();
        try (var victim = new ChildSidecar("victim-of-" + name, REDIS.address(), 30)) {
            board.publish(job, Duration.ZERO);
            board.assign(victim.uid, job);
            begin.accept(victim);
            await().atMost(PATIENCE).until(() -> app.calls().size() == 1);
            board.assign(survivor.uid, job);
            await().atMost(PATIENCE).until(() -> survivor.status("GET", "/v1/jobs/" + name, "") == 200);
            untilTheWorstMoment.run();

            long killed = System.nanoTime();
            long killedOwn = OwnTime.nanos();
            victim.process().destroyForcibly();
            atTheKill.run();

            await().atMost(PATIENCE).until(() -> app.calls().size() >= 2);
            var next = app.calls().get(1);
            assertThat(next.header("Soloist-Attempt")).isEqualTo("2");
            return new Measured(
                    Duration.ofNanos(next.ownStart - killedOwn), Duration.ofNanos(next.startNanos - killed));
        } finally {
            gate.countDown();
        }
    }

    private static Measured measure(JobDefinition job, TestApp app, Runnable untilTheWorstMoment, Runnable atTheKill) {
        return measure(job, app, _ -> {}, untilTheWorstMoment, atTheKill);
    }

    @Test
    void heartbeat() {
        var policy = policy(true, Duration.ofSeconds(1), Duration.ofMinutes(5));
        Predicate<Measured> notSooner = measured -> measured.wall().compareTo(TTL.minusSeconds(1)) > 0;

        holds("heartbeat", notSooner.and(it -> it.isWithin(stated(policy))), (name, app) -> {
            var job = hourly(name, app, policy);
            // Right after a renewal the lease is as long as it can be.
            Runnable renewed = () -> await().pollInterval(Duration.ofMillis(10))
                    .until(() -> leaseLeft(job).compareTo(TTL.minusMillis(100)) > 0);
            return measure(job, app, renewed, () -> {});
        });
    }

    @Test
    void plainTtl() {
        // The golden rule: ttl > maxRunTime, and watchdog.every > maxRunTime + grace.
        var policy = policy(false, Duration.ofSeconds(5), Duration.ofSeconds(4));

        holds(
                "plain-ttl",
                it -> it.isWithin(stated(policy)),
                (name, app) -> measure(hourly(name, app, policy), app, () -> {}, () -> {}));
    }

    /** Lock and tokens vanish too: what is left is the record, and only the watchdog's verdict makes the job ready again. */
    @Test
    void watchdog() {
        var policy = policy(true, Duration.ofSeconds(1), Duration.ofMinutes(5));

        holds("watchdog", it -> it.isWithin(stated(policy)), (name, app) -> {
            var job = hourly(name, app, policy);
            Runnable vanish = () -> board.link.call(
                    "DEL", board.keys.lock(job.id()), board.keys.ready(job.id()), board.keys.delayed(job.id()));
            var measured = measure(job, app, () -> {}, vanish);
            var verdicts = "soloist_watch_verdicts_total{djob=\"" + name + "\",verdict=\"abandoned\"}";
            await().until(() -> survivor.metric(verdicts) == 1);
            return measured;
        });
    }

    /** Stated for a delayed job is its own {@code status.worstCaseRecovery}. */
    @Test
    void reliableQueue() {
        var work = (DelayedWork) queue("reliable-queue", 1).work();
        // A second for the kill and for what this test itself does on a busy machine.
        var stated = Objects.requireNonNull(work.worstCaseRecovery()).plusSeconds(1);

        holds("reliable-queue", it -> it.isWithin(stated), (name, app) -> {
            var body = "{\"id\":\"one\",\"delay\":\"0\"}";
            Consumer<ChildSidecar> enqueue = victim -> await().atMost(PATIENCE)
                    .until(() -> victim.status("POST", "/v1/jobs/" + name + "/tasks", body) == 202);
            return measure(queue(name, app.port()), app, enqueue, () -> {}, () -> {});
        });
    }

    private static JobDefinition queue(String name, int port) {
        return Jobs.delayed(name, port, work -> Jobs.withVisibility(work, Duration.ofSeconds(4)));
    }
}
