package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.TTL;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimIT {

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

    @Test
    void aReadySlotIsGivenOnceWithLockFenceAndAttempt() {
        bench.ready();

        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));

        assertThat(grant.generation()).isEqualTo(1);
        assertThat(grant.attempt()).isEqualTo(1);
        assertThat(grant.remaining()).isEqualTo(TTL);
        assertThat(grant.repeated()).isFalse();
        assertThat(grant.fence().term()).isEqualTo(1);
        assertThat(grant.scheduledAt())
                .isEqualTo(Instant.ofEpochMilli(Long.parseLong(bench.record().get("slot"))));
        assertThat(bench.lock())
                .isEqualTo(ALICE + "|" + nonceOf(ALICE) + "|" + grant.fence().sequence());
        assertThat(bench.number("PTTL", bench.keys.lock(JOB))).isBetween(TTL.toMillis() - 2000, TTL.toMillis());
        assertThat(bench.readyTokens()).isEmpty();
        assertThat(bench.delayedTokens()).isEmpty();
        assertThat(bench.state()).isEqualTo(SingletonState.RUNNING);
        assertThat(bench.claim(BOB, nonceOf(BOB))).isInstanceOfSatisfying(Claim.NotDue.class, empty -> {
            assertThat(empty.state()).isEqualTo(SingletonState.RUNNING);
            assertThat(empty.dueIn()).isBetween(TTL.minusSeconds(2), TTL);
        });
    }

    @Test
    void aDelayedSlotThatIsDueNeedsNoPromotion() {
        bench.due();

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Claimed.class);
        assertThat(bench.delayedTokens()).isEmpty();
    }

    @Test
    void aSlotThatIsNotDueSaysHowLongToWait() {
        bench.delayed();

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOfSatisfying(Claim.NotDue.class, empty -> {
            assertThat(empty.state()).isEqualTo(SingletonState.DELAYED);
            assertThat(empty.dueIn()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        });
    }

    @Test
    void statesThatTimeDoesNotEndSayToWaitUntilWoken() {
        assertThat(bench.claim(ALICE, nonceOf(ALICE)))
                .isEqualTo(new Claim.NotDue(SingletonState.ABSENT, Claim.UNTIL_WOKEN));
        bench.paused();
        assertThat(bench.claim(ALICE, nonceOf(ALICE)))
                .isEqualTo(new Claim.NotDue(SingletonState.PAUSED, Claim.UNTIL_WOKEN));
        bench.store.delete(JOB, SingletonBench.UID);
        assertThat(bench.claim(ALICE, nonceOf(ALICE)))
                .isEqualTo(new Claim.NotDue(SingletonState.DELETED, Claim.UNTIL_WOKEN));
    }

    @Test
    void theSameNonceGetsTheSameFenceWithTheLeaseSetAnew() {
        Grant first = bench.running();
        bench.link.call("PEXPIRE", bench.keys.lock(JOB), "5000");

        Grant again = bench.claimed(ALICE, nonceOf(ALICE));

        assertThat(again.repeated()).isTrue();
        assertThat(again.fence()).isEqualTo(first.fence());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.remaining()).isEqualTo(TTL);
        assertThat(bench.number("PTTL", bench.keys.lock(JOB))).isGreaterThan(5000);
        assertThat(bench.store.snapshot(JOB).current().leaseEnd())
                .isAfter(first.redisNow().plusSeconds(29));
    }

    @Test
    void theSameNonceIsToldThatItsLeaseIsOver() {
        bench.running();
        bench.lapse();

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Lost.class);
    }

    @Test
    void l06_aClaimThatArrivesAfterItsLastMomentWinsNothing() {
        bench.ready();
        var late = new ClaimRequest(
                1, ALICE, "pod", nonceOf(ALICE), TTL, bench.now().minusMillis(1));

        assertThat(bench.store.claim(JOB, late)).isInstanceOf(Claim.TooLate.class);
        assertThat(bench.state()).isEqualTo(SingletonState.READY);
    }

    @Test
    void l06_aClaimThatWasGivenUpCannotWinLater() {
        bench.ready();
        assertThat(bench.store.release(JOB, ALICE, nonceOf(ALICE))).isInstanceOf(Releasing.SpentOnly.class);

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(bench.claim(ALICE, Nonce.create())).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void aNonceStaysSpentWhenOthersHaveRunSince() {
        bench.ready();
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        Grant bobs = bench.claimed(BOB, nonceOf(BOB));
        bench.finish(BOB, bobs.fence(), SingletonBench.done(RunResult.SUCCEEDED, bench.now(), false));

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(bench.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.Spent.class);
    }

    @Test
    void onlyAClaimComparesTerms() {
        Grant grant = bench.running();
        bench.store.raiseTerm(JOB, 7);

        assertThat(bench.claim(BOB, nonceOf(BOB))).isEqualTo(new Claim.StaleTerm(7));
        assertThat(bench.store.renew(JOB, ALICE, nonceOf(ALICE), TTL)).isInstanceOf(Renewal.Renewed.class);
        assertThat(bench.finish(ALICE, grant.fence(), SingletonBench.done(RunResult.SUCCEEDED, bench.now(), false)))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(bench.store.claim(
                        JOB,
                        new ClaimRequest(
                                8, BOB, "pod", nonceOf(BOB), TTL, bench.now().plusSeconds(2))))
                .isEqualTo(new Claim.TermBehind(7));
        assertThat(bench.store.claim(
                        JOB,
                        new ClaimRequest(
                                7, BOB, "pod", nonceOf(BOB), TTL, bench.now().plusSeconds(2))))
                .isInstanceOfSatisfying(
                        Claim.Claimed.class,
                        claimed -> assertThat(claimed.grant().fence())
                                .isGreaterThan(grant.fence())
                                .extracting(Fence::term)
                                .isEqualTo(7L));
    }

    @Test
    void t09_aRefusedClaimLeavesTheTokenWhereItWas() {
        bench.ready();
        bench.link.call("SET", bench.keys.lock(JOB), "somebody", "PX", "20000");

        assertThat(bench.claim(ALICE, nonceOf(ALICE)))
                .isInstanceOfSatisfying(
                        Claim.Busy.class,
                        busy -> assertThat(busy.remaining()).isBetween(Duration.ofSeconds(18), Duration.ofSeconds(20)));
        assertThat(bench.readyTokens()).containsExactly("1");
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.OK);

        bench.link.call("DEL", bench.keys.lock(JOB));
        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void noTokenIsNeeded() {
        bench.ready();
        bench.link.call("DEL", bench.keys.ready(JOB));

        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void fencesAreMicrosecondsOfRedisAndRiseEvenWhenTheClockDoesNot() {
        Grant first = bench.running();
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        long ahead = first.fence().sequence() + 3_600_000_000L;
        bench.link.call("HSET", bench.keys.record(JOB), "fence", String.valueOf(ahead));

        Grant second = bench.claimed(BOB, nonceOf(BOB));

        assertThat(first.fence().sequence() / 1000)
                .isBetween(first.redisNow().toEpochMilli() - 5, first.redisNow().toEpochMilli() + 5);
        assertThat(second.fence().sequence()).isEqualTo(ahead + 1);
    }
}
