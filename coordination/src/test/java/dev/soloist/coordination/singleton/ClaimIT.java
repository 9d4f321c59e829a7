package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimIT {

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
    void aReadySlotIsGivenOnceWithLockFenceAndAttempt() {
        job.ready();

        Grant grant = job.claimed(ALICE, nonceOf(ALICE));

        assertThat(grant.generation()).isEqualTo(1);
        assertThat(grant.attempt()).isEqualTo(1);
        assertThat(grant.remaining()).isEqualTo(TTL);
        assertThat(grant.repeated()).isFalse();
        assertThat(grant.fence().term()).isEqualTo(1);
        assertThat(grant.scheduledAt())
                .isEqualTo(Instant.ofEpochMilli(Long.parseLong(job.record().get("slot"))));
        assertThat(job.lock())
                .isEqualTo(ALICE + "|" + nonceOf(ALICE) + "|" + grant.fence().sequence());
        assertThat(job.number("PTTL", job.lease())).isBetween(TTL.toMillis() / 2, TTL.toMillis());
        assertThat(job.readyTokens()).isEmpty();
        assertThat(job.delayedTokens()).isEmpty();
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOfSatisfying(Claim.NotDue.class, empty -> {
            assertThat(empty.state()).isEqualTo(SingletonState.RUNNING);
            assertThat(empty.dueIn()).isBetween(TTL.dividedBy(2), TTL);
        });
    }

    @Test
    void aDelayedSlotThatIsDueNeedsNoPromotion() {
        job.due();

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Claimed.class);
        assertThat(job.delayedTokens()).isEmpty();
    }

    @Test
    void aSlotThatIsNotDueSaysHowLongToWait() {
        job.delayed();

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOfSatisfying(Claim.NotDue.class, empty -> {
            assertThat(empty.state()).isEqualTo(SingletonState.DELAYED);
            assertThat(empty.dueIn()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        });
    }

    @Test
    void statesThatTimeDoesNotEndSayToWaitUntilWoken() {
        assertThat(job.claim(ALICE, nonceOf(ALICE)))
                .isEqualTo(new Claim.NotDue(SingletonState.ABSENT, Claim.UNTIL_WOKEN));
        job.paused();
        assertThat(job.claim(ALICE, nonceOf(ALICE)))
                .isEqualTo(new Claim.NotDue(SingletonState.PAUSED, Claim.UNTIL_WOKEN));
        job.store.delete(JOB, SingletonUnderTest.UID);
        assertThat(job.claim(ALICE, nonceOf(ALICE)))
                .isEqualTo(new Claim.NotDue(SingletonState.DELETED, Claim.UNTIL_WOKEN));
    }

    @Test
    void theSameNonceGetsTheSameFenceWithTheLeaseSetAnew() {
        Grant first = job.running();
        job.call("PEXPIRE", job.lease(), "5000");

        Grant again = job.claimed(ALICE, nonceOf(ALICE));

        assertThat(again.repeated()).isTrue();
        assertThat(again.fence()).isEqualTo(first.fence());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.remaining()).isEqualTo(TTL);
        assertThat(job.number("PTTL", job.lease())).isGreaterThan(5000);
        assertThat(job.store.snapshot(JOB).current().leaseEnd())
                .isAfter(first.redisNow().plusSeconds(29));
    }

    @Test
    void theSameNonceIsToldThatItsLeaseIsOver() {
        job.running();
        job.lapse();

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Lost.class);
    }

    @Test
    void l06_aClaimThatArrivesAfterItsLastMomentWinsNothing() {
        job.ready();
        var late =
                new ClaimRequest(1, ALICE, "pod", nonceOf(ALICE), TTL, job.now().minusMillis(1));

        assertThat(job.store.claim(JOB, late)).isInstanceOf(Claim.TooLate.class);
        assertThat(job.state()).isEqualTo(SingletonState.READY);
    }

    @Test
    void l06_aClaimThatWasGivenUpCannotWinLater() {
        job.ready();
        assertThat(job.store.release(JOB, ALICE, nonceOf(ALICE))).isInstanceOf(Releasing.SpentOnly.class);

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(job.claim(ALICE, Nonce.create())).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void aNonceStaysSpentWhenOthersHaveRunSince() {
        job.ready();
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        Grant bobs = job.claimed(BOB, nonceOf(BOB));
        job.finish(BOB, bobs.fence(), SingletonUnderTest.done(RunResult.SUCCEEDED, job.now(), false));

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.Spent.class);
    }

    @Test
    void onlyAClaimComparesTerms() {
        Grant grant = job.running();
        job.store.raiseTerm(JOB, 7);

        assertThat(job.claim(BOB, nonceOf(BOB))).isEqualTo(new Claim.StaleTerm(7));
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(job.finish(ALICE, grant.fence(), SingletonUnderTest.done(RunResult.SUCCEEDED, job.now(), false)))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(job.store.claim(
                        JOB,
                        new ClaimRequest(
                                8, BOB, "pod", nonceOf(BOB), TTL, job.now().plusSeconds(2))))
                .isEqualTo(new Claim.TermBehind(7));
        assertThat(job.store.claim(
                        JOB,
                        new ClaimRequest(
                                7, BOB, "pod", nonceOf(BOB), TTL, job.now().plusSeconds(2))))
                .isInstanceOfSatisfying(
                        Claim.Claimed.class,
                        claimed -> assertThat(claimed.grant().fence())
                                .isGreaterThan(grant.fence())
                                .extracting(Fence::term)
                                .isEqualTo(7L));
    }

    @Test
    void t09_aRefusedClaimLeavesTheTokenWhereItWas() {
        job.ready();
        job.call("SET", job.lease(), "somebody", "PX", "20000");

        assertThat(job.claim(ALICE, nonceOf(ALICE)))
                .isInstanceOfSatisfying(
                        Claim.Busy.class,
                        busy -> assertThat(busy.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(20)));
        assertThat(job.readyTokens()).containsExactly("1");
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);

        job.call("DEL", job.lease());
        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void noTokenIsNeeded() {
        job.ready();
        job.call("DEL", job.keys.ready(JOB));

        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void fencesAreMicrosecondsOfRedisAndRiseEvenWhenTheClockDoesNot() {
        Instant before = job.now();
        Grant first = job.running();
        Instant after = job.now();
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        long ahead = first.fence().sequence() + 3_600_000_000L;
        job.call("HSET", job.keys.record(JOB), "fence", String.valueOf(ahead));

        Grant second = job.claimed(BOB, nonceOf(BOB));

        assertThat(first.fence().sequence() / 1000).isBetween(before.toEpochMilli(), after.toEpochMilli());
        assertThat(second.fence().sequence()).isEqualTo(ahead + 1);
    }
}
