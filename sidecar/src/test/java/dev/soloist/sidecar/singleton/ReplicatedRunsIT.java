package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.testkit.ReplicatedRedis;
import dev.soloist.sidecar.testkit.Board;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.testkit.OwnTime;
import dev.soloist.sidecar.testkit.TestApp;
import dev.soloist.sidecar.testkit.TestPod;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of a job whose lease counts only when a replica has it. */
class ReplicatedRunsIT {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TRIES = 3;
    private static final Durability.Replicated ONE = new Durability.Replicated(1, Duration.ofMillis(200));

    private ReplicatedRedis redis;
    private Board board;
    private final CountDownLatch gate = new CountDownLatch(1);

    @BeforeEach
    void start() {
        redis = new ReplicatedRedis();
        board = new Board(redis.primary);
    }

    @AfterEach
    void end() {
        gate.countDown();
        redis.replica.pause(false);
        board.close();
        redis.close();
    }

    private static JobDefinition job(TestApp app, Durability durability) {
        return Jobs.singleton(
                "report",
                app.port(),
                Duration.ofMillis(100),
                Jobs.policy(TTL).with(durability),
                new Retry(3, Jobs.backoff()));
    }

    private void begin(JobDefinition job, TestPod... pods) {
        board.publish(job, Duration.ZERO);
        for (var pod : pods) {
            board.assign(pod.uid, job);
        }
    }

    private static double claims(TestPod pod, String result) {
        return pod.metric("soloist_claims_total{djob=\"report\",result=\"" + result + "\"}");
    }

    private static double renewals(TestPod pod, String result) {
        return pod.metric("soloist_renewals_total{djob=\"report\",result=\"" + result + "\"}");
    }

    @Test
    void aLeaseThatNoReplicaAcknowledgesIsGivenBackUnusedUntilTheReplicaIsThere() {
        redis.replica.pause(true);
        try (var app = new TestApp();
                var a = new TestPod("a", redis.primary.port());
                var b = new TestPod("b", redis.primary.port())) {
            begin(job(app, ONE), a, b);

            await().atMost(PATIENCE).until(() -> claims(a, "unacknowledged") >= 2 && claims(b, "unacknowledged") >= 2);
            assertThat(app.calls()).isEmpty();
            assertThat(claims(a, "claimed") + claims(b, "claimed")).isZero();
            assertThat(a.get("/v1/jobs/report").body()).contains("\"unacknowledgedAt\":");
            assertThat(board.singletons.history(Jobs.id("report"))).isEmpty();
            assertThat(claims(a, "unacknowledged"))
                    .as("a pod stands back, longer each time")
                    .isLessThan(20);

            redis.replica.pause(false);

            await().until(() -> !app.calls().isEmpty());
            assertThat(app.calls().getFirst().header("Soloist-Attempt")).isEqualTo("1");
            await().until(() -> !a.get("/v1/jobs/report").body().contains("unacknowledgedAt"));
        }
    }

    @Test
    void renewalsThatNoReplicaAcknowledgesEndTheRunByTheDeadlineItHad() {
        try (var app = new TestApp();
                var pod = new TestPod("a", redis.primary.port())) {
            app.does(call -> app.calls().size() == 1 ? TestApp.until(gate).answer(call) : 200);
            begin(job(app, ONE), pod);
            await().until(() -> renewals(pod, "renewed") >= 2);

            redis.replica.pause(true);
            long frozen = OwnTime.nanos();

            await().until(() -> !app.cancels().isEmpty());
            assertThat(OwnTime.since(frozen)).isLessThan(TTL);
            assertThat(renewals(pod, "unacknowledged")).isGreaterThanOrEqualTo(1);
            await().until(() -> pod.metric("soloist_lease_lost_total{cause=\"deadline\",djob=\"report\"}") == 1);
            assertThat(app.calls()).hasSize(1);

            redis.replica.pause(false);

            await().until(() -> app.calls().size() >= 2);
            assertThat(app.calls().get(1).startNanos).isGreaterThan(app.calls().get(0).endNanos);
        }
    }

    @Test
    void aReplicaThatIsAwayForAMomentDisturbsNoRun() {
        try (var app = new TestApp().does(TestApp.until(gate));
                var pod = new TestPod("a", redis.primary.port())) {
            begin(job(app, ONE), pod);
            await().until(() -> renewals(pod, "renewed") >= 1);

            redis.replica.pause(true);
            await().pollInterval(Duration.ofMillis(10)).until(() -> renewals(pod, "unacknowledged") >= 1);
            redis.replica.pause(false);
            double before = renewals(pod, "renewed");

            await().until(() -> renewals(pod, "renewed") >= before + 4);
            assertThat(app.calls()).hasSize(1);
            assertThat(app.cancels()).isEmpty();
            gate.countDown();
        }
    }

    @Test
    void aRenewalCostsOneCommandMoreThanBefore() {
        try (var app = new TestApp().does(TestApp.until(gate));
                var pod = new TestPod("a", redis.primary.port())) {
            begin(job(app, ONE), pod);
            await().until(() -> renewals(pod, "renewed") >= 1);
            double before = allRenewals(pod);
            board.link.call("CONFIG", "RESETSTAT");
            double reset = renewals(pod, "renewed");

            await().until(() -> renewals(pod, "renewed") >= reset + 5);

            long waits = commands("wait");
            // One may have been on its way at the beginning, and one at the end.
            assertThat(waits).isBetween(4L, (long) (allRenewals(pod) - before) + 1);
            gate.countDown();
        }
    }

    private static double allRenewals(TestPod pod) {
        return Stream.of("renewed", "unacknowledged", "error")
                .mapToDouble(result -> renewals(pod, result))
                .sum();
    }

    private long commands(String name) {
        return board.link
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    /**
     * The old primary goes on with its holder on one side of a broken network; on the other side a replica is promoted, and
     * another pod takes the lease as soon as it may. Where this machine stood still meanwhile it is done once more: who did not
     * run could not stop in time.
     *
     * @return the two runs
     */
    private Overlap acrossAPromotion(Durability durability) {
        for (int tried = 1; ; tried++) {
            var before = OwnTime.stoodStill();
            var overlap = onceAcrossAPromotion(durability);
            if (OwnTime.stoodStill().equals(before) || tried == TRIES) {
                return overlap;
            }
            end();
            start();
        }
    }

    private Overlap onceAcrossAPromotion(Durability durability) {
        redis.chained();
        var until = new CountDownLatch(1);
        try (var app = new TestApp().does(TestApp.until(until));
                var a = new TestPod("a", redis.primary.port())) {
            begin(job(app, durability), a);
            board.assign("b", job(app, durability));
            await().until(() -> renewals(a, "renewed") >= 2);
            ReplicatedRedis.awaitInStep(redis.primary, 1);

            long parted = OwnTime.nanos();
            redis.network.hang();
            redis.promote();
            try (var b = new TestPod("b", redis.replica.port())) {
                await().atMost(PATIENCE).until(() -> app.calls().size() == 2);
                var first = app.calls().get(0);
                var second = app.calls().get(1);
                assertThat(second.header("Soloist-Fence")).isGreaterThan(first.header("Soloist-Fence"));
                double renewed = renewals(a, "renewed");
                if (first.endNanos == 0) {
                    await().until(() -> renewals(a, "renewed") >= renewed + 3);
                }
                await().until(() -> renewals(b, "renewed") >= 2);
                boolean both = renewals(a, "renewed") > renewed;
                return new Overlap(parted, first.ownEnd, second.ownStart, both);
            } finally {
                until.countDown();
            }
        }
    }

    /** When the first run ended, zero if it had not, and the second began. */
    private record Overlap(long parted, long firstEnd, long secondStart, boolean bothRenewed) {

        String told() {
            return "first ended %d ms, second began %d ms after the network broke"
                    .formatted((firstEnd - parted) / 1_000_000, (secondStart - parted) / 1_000_000);
        }
    }

    @Test
    void withoutAcknowledgementTwoRunsOverlapAcrossAPartitionForAsLongAsItLasts() {
        var overlap = acrossAPromotion(Durability.LOCAL);

        assertThat(overlap.firstEnd()).as("the first run goes on").isZero();
        assertThat(overlap.bothRenewed()).isTrue();
    }

    @Test
    void withAcknowledgementNoTwoRunsOverlapAcrossAPartition() {
        var overlap = acrossAPromotion(ONE);

        assertThat(overlap.firstEnd()).as(overlap::told).isNotZero().isLessThan(overlap.secondStart());
        assertThat(Duration.ofNanos(overlap.firstEnd() - overlap.parted())).isLessThan(TTL);
    }
}
