package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.TTL;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeleteIT {

    @RegisterExtension
    static final RedisProcess REDIS = new RedisProcess();

    private SingletonBench bench;

    @BeforeEach
    void open() {
        bench = new SingletonBench(REDIS.link());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    static Stream<Consumer<SingletonBench>> idle() {
        return Stream.of(SingletonBench::delayed, SingletonBench::ready, SingletonBench::paused);
    }

    @ParameterizedTest
    @MethodSource("idle")
    void anIdleJobLeavesATombstoneFor30Days(Consumer<SingletonBench> given) {
        given.accept(bench);

        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);

        assertThat(bench.record()).containsOnlyKeys("st", "gen", "uid", "term", "fence", "lastFence");
        assertThat(bench.number("PTTL", bench.keys.record(JOB)))
                .isBetween(
                        Duration.ofDays(30).toMillis() - 5000,
                        Duration.ofDays(30).toMillis());
        assertThat(bench.number("DBSIZE")).isEqualTo(1);
        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
    }

    @Test
    void aRunInProgressIsAskedToStopAndItsEndCompletesTheDeletion() {
        Grant grant = bench.running();

        assertThat(bench.store.delete(JOB, UID))
                .isInstanceOfSatisfying(
                        Deletion.AfterRun.class,
                        after -> assertThat(after.leaseRemaining()).isBetween(TTL.minusSeconds(2), TTL));
        assertThat(bench.state()).isEqualTo(SingletonState.RUNNING);
        assertThat(bench.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isEqualTo(new Renewal.Renewed(TTL, true));

        FinishRequest request = bench.success();
        assertThat(bench.finish(ALICE, grant.fence(), request))
                .isInstanceOfSatisfying(
                        Finishing.Finished.class, end -> assertThat(end.state()).isEqualTo(SingletonState.DELETED));
        assertThat(bench.finish(ALICE, grant.fence(), request)).isInstanceOf(Finishing.Repeated.class);
        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
        assertThat(bench.number("PTTL", bench.keys.history(JOB))).isPositive();
        assertThat(bench.number("EXISTS", bench.keys.mark(JOB))).isZero();
    }

    @Test
    void aJobMadeAgainDuringTheOldRunStartsAfterItWithAHigherFence() {
        Grant old = bench.running();
        bench.store.delete(JOB, UID);
        assertThat(bench.store.seed(JOB, "uid-2", 1, "m", bench.now(), false, SPEC))
                .isInstanceOf(Seeding.Waiting.class);
        assertThat(bench.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);

        bench.lapse();
        bench.watch();
        assertThat(bench.store.seed(JOB, "uid-2", 1, "m", bench.now(), false, SPEC))
                .isInstanceOf(Seeding.Seeded.class);

        assertThat(bench.claimed(BOB, nonceOf(BOB)).fence()).isGreaterThan(old.fence());
        assertThat(bench.finish(ALICE, old.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
    }

    @Test
    void aNamesakeIsNotDeleted() {
        bench.delayed();
        Map<String, Object> before = bench.everything();

        assertThat(bench.store.delete(JOB, "uid-0")).isEqualTo(new Deletion.OtherUid(UID));
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aJobThatIsNotThereLeavesNothing() {
        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.Absent.class);
        assertThat(bench.number("DBSIZE")).isZero();
    }

    @Test
    void aRepeatedDeletionDuringTheRunIsAnsweredAlike() {
        bench.running();
        bench.store.delete(JOB, UID);
        Map<String, String> before = bench.record();

        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.AfterRun.class);
        assertThat(bench.record()).isEqualTo(before);
    }
}
