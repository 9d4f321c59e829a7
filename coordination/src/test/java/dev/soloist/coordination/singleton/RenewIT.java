package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.TTL;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RenewIT {

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

    private Renewal renew() {
        return bench.store.renew(JOB, ALICE, nonceOf(ALICE), TTL);
    }

    @Test
    void aLivingLeaseGetsANewEndInLockAndRecord() {
        bench.running();
        bench.link.call("PEXPIRE", bench.keys.lock(JOB), "4000");

        assertThat(renew()).isEqualTo(new Renewal.Renewed(TTL, false));

        assertThat(bench.number("PTTL", bench.keys.lock(JOB))).isGreaterThan(TTL.toMillis() - 2000);
        assertThat(bench.store.snapshot(JOB).current().leaseEnd())
                .isAfter(bench.now().plusSeconds(28));
    }

    @Test
    void l04_aLeaseWhoseLockWasDeletedIsLostAndStaysLost() {
        bench.running();
        bench.link.call("DEL", bench.keys.lock(JOB));

        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.LEASE));
        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.LEASE));
        assertThat(bench.lock()).isEmpty();
    }

    @Test
    void aLapsedLeaseIsNeverRenewedEvenIfItsLockStands() {
        Grant grant = bench.running();
        bench.lapse();
        bench.link.call(
                "SET",
                bench.keys.lock(JOB),
                ALICE + "|" + nonceOf(ALICE) + "|" + grant.fence().sequence());

        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.LEASE));
    }

    @Test
    void l01_aRenewalAfterTheEndOfTheRunFindsNothingToRenew() {
        Grant grant = bench.running();
        bench.finish(ALICE, grant.fence(), bench.success());

        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(bench.lock()).isEmpty();
    }

    @Test
    void onlyItsOwnerWithItsNonceRenewsALease() {
        bench.running();
        long before = bench.number("PTTL", bench.keys.lock(JOB));

        assertThat(bench.store.renew(JOB, BOB, nonceOf(ALICE), Duration.ofHours(1)))
                .isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(bench.store.renew(JOB, ALICE, Nonce.create(), Duration.ofHours(1)))
                .isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(bench.number("PTTL", bench.keys.lock(JOB))).isLessThanOrEqualTo(before);
    }

    @Test
    void aCancelReachesTheRunItMeansAndNoLaterOne() {
        bench.running();
        bench.store.delete(JOB, UID);
        assertThat(renew()).isEqualTo(new Renewal.Renewed(TTL, true));

        bench.link.call("HDEL", bench.keys.record(JOB), "del");
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        bench.claimed(BOB, nonceOf(BOB));

        assertThat(bench.store.renew(JOB, BOB, nonceOf(BOB), TTL)).isEqualTo(new Renewal.Renewed(TTL, false));
    }

    @Test
    void l02_aLeaseTakenAfterOneThatLapsedIsRenewedAsEver() {
        bench.running();
        bench.lapse();
        assertThat(renew()).isInstanceOf(Renewal.Lost.class);
        bench.watch();
        bench.link.call("HSET", bench.keys.record(JOB), "due", "0");
        Nonce second = Nonce.create();
        bench.claimed(ALICE, second);

        for (int i = 0; i < 12; i++) {
            assertThat(bench.store.renew(JOB, ALICE, second, TTL)).isInstanceOf(Renewal.Renewed.class);
        }
    }
}
