package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.ServerUnderTest;
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
    static final ServerUnderTest REDIS = new ServerUnderTest();

    private SingletonUnderTest job;

    @BeforeEach
    void open() {
        job = new SingletonUnderTest(REDIS);
    }

    @AfterEach
    void close() {
        job.close();
    }

    static Stream<Consumer<SingletonUnderTest>> idle() {
        return Stream.of(SingletonUnderTest::delayed, SingletonUnderTest::ready, SingletonUnderTest::paused);
    }

    @ParameterizedTest
    @MethodSource("idle")
    void anIdleJobLeavesATombstoneFor30Days(Consumer<SingletonUnderTest> given) {
        given.accept(job);

        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);

        assertThat(job.record()).containsOnlyKeys("st", "gen", "uid", "term", "fence", "lastFence");
        assertThat(job.number("PTTL", job.keys.record(JOB)))
                .isBetween(
                        Duration.ofDays(30).minusMinutes(5).toMillis(),
                        Duration.ofDays(30).toMillis());
        assertThat(job.number("DBSIZE")).isEqualTo(1);
        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
    }

    @Test
    void aRunInProgressIsAskedToStopAndItsEndCompletesTheDeletion() {
        Grant grant = job.running();

        assertThat(job.store.delete(JOB, UID))
                .isInstanceOfSatisfying(
                        Deletion.AfterRun.class,
                        after -> assertThat(after.leaseRemaining()).isBetween(TTL.dividedBy(2), TTL));
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isEqualTo(new Renewal.Renewed(TTL, true));

        FinishRequest request = job.success();
        assertThat(job.finish(ALICE, grant.fence(), request))
                .isInstanceOfSatisfying(
                        Finishing.Finished.class, end -> assertThat(end.state()).isEqualTo(SingletonState.DELETED));
        assertThat(job.finish(ALICE, grant.fence(), request)).isInstanceOf(Finishing.Repeated.class);
        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
        assertThat(job.number("PTTL", job.keys.history(JOB))).isPositive();
        assertThat(job.number("EXISTS", job.keys.mark(JOB))).isZero();
    }

    @Test
    void aJobMadeAgainDuringTheOldRunStartsAfterItWithAHigherFence() {
        Grant old = job.running();
        job.store.delete(JOB, UID);
        assertThat(job.store.seed(JOB, "uid-2", 1, "m", job.now(), false, SPEC)).isInstanceOf(Seeding.Waiting.class);
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);

        job.lapse();
        job.watch();
        assertThat(job.store.seed(JOB, "uid-2", 1, "m", job.now(), false, SPEC)).isInstanceOf(Seeding.Seeded.class);

        var request = new ClaimRequest(
                2, BOB, "pod-b", nonceOf(BOB), SingletonUnderTest.TTL, job.now().plusSeconds(2));
        assertThat(job.store.claim(JOB, request))
                .isInstanceOfSatisfying(
                        Claim.Claimed.class,
                        claim -> assertThat(claim.grant().fence()).isGreaterThan(old.fence()));
        assertThat(job.finish(ALICE, old.fence(), job.success())).isInstanceOf(Finishing.Late.class);
    }

    @Test
    void aNamesakeIsNotDeleted() {
        job.delayed();
        Map<String, Object> before = job.everything();

        assertThat(job.store.delete(JOB, "uid-0")).isEqualTo(new Deletion.OtherUid(UID));
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void aJobThatIsNotThereLeavesNothing() {
        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.Absent.class);
        assertThat(job.number("DBSIZE")).isZero();
    }

    @Test
    void aRepeatedDeletionDuringTheRunIsAnsweredAlike() {
        job.running();
        job.store.delete(JOB, UID);
        Map<String, String> before = job.record();

        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.AfterRun.class);
        assertThat(job.record()).isEqualTo(before);
    }
}
