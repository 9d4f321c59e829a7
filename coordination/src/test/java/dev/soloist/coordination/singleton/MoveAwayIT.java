package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.ServerUnderTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job whose lease is to be kept in another way leaves its place, and may come back. */
class MoveAwayIT {

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

    @Test
    void anIdleJobLeavesAtOnceAndNobodyClaimsItHereAgain() {
        job.ready();

        assertThat(job.store.moveAway(JOB, UID)).isInstanceOf(Moving.Away.class);
        assertThat(job.claim(BOB, nonceOf(BOB))).isEqualTo(new Claim.NotDue(SingletonState.DELETED, Claim.UNTIL_WOKEN));
        assertThat(job.store.moveAway(JOB, UID)).isInstanceOf(Moving.Away.class);
    }

    @Test
    void aRunInProgressGoesOnAndIsTheLast() {
        Grant grant = job.running();

        assertThat(job.store.moveAway(JOB, UID)).isInstanceOf(Moving.AfterRun.class);
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), SingletonUnderTest.TTL))
                .isEqualTo(new Renewal.Renewed(SingletonUnderTest.TTL, false));
        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
        assertThat(job.store.moveAway(JOB, UID)).isInstanceOf(Moving.Away.class);
    }

    @Test
    void aRunWhoseHolderIsDeadIsEndedByAWatchdogAndThenItLeaves() {
        job.running();
        job.store.moveAway(JOB, UID);
        job.lapse();

        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.ABANDONED);
        assertThat(job.store.moveAway(JOB, UID)).isInstanceOf(Moving.Away.class);
    }

    @Test
    void itMayComeBackUnderAHigherTermAndItsFencesRise() {
        Grant before = job.running();
        job.finish(ALICE, before.fence(), job.success());
        job.store.moveAway(JOB, UID);

        var seeding = job.store.seed(JOB, UID, 1, "mark-2", job.now().minusMillis(10), false, SPEC);
        job.store.triggerNow(JOB, true);

        long term = ((Seeding.Seeded) seeding).term();
        var request = new ClaimRequest(
                term,
                BOB,
                "pod-bob",
                nonceOf(BOB),
                SingletonUnderTest.TTL,
                job.now().plusSeconds(2));
        assertThat(job.store.claim(JOB, request))
                .isInstanceOfSatisfying(
                        Claim.Claimed.class,
                        claimed -> assertThat(claimed.grant().fence()).isGreaterThan(before.fence()));
    }

    @Test
    void aJobThatWasEndedHereDoesNotComeToLifeElsewhere() {
        job.deleted();

        assertThat(job.store.moveAway(JOB, UID)).isEqualTo(new Moving.Gone());
        assertThat(job.store.moveAway(JOB, "another")).isInstanceOf(Moving.Away.class);
    }

    @Test
    void aNamesakeIsLeftAloneAndTold() {
        job.running();

        assertThat(job.store.moveAway(JOB, "another")).isEqualTo(new Moving.Namesake(UID));
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void whatWasNeverHereIsAway() {
        assertThat(job.store.moveAway(JOB, UID)).isInstanceOf(Moving.Away.class);
        assertThat(job.state()).isEqualTo(SingletonState.ABSENT);
    }
}
