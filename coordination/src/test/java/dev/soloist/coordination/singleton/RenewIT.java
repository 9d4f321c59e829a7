package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.TTL;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RenewIT {

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

    private Renewal renew() {
        return job.store.renew(JOB, ALICE, nonceOf(ALICE), TTL);
    }

    @Test
    void aLivingLeaseGetsANewEndInLockAndRecord() {
        job.running();
        job.call("PEXPIRE", job.lease(), "4000");

        assertThat(renew()).isEqualTo(new Renewal.Renewed(TTL, false));

        assertThat(job.number("PTTL", job.lease())).isGreaterThan(TTL.toMillis() / 2);
        assertThat(job.store.snapshot(JOB).current().leaseEnd())
                .isAfter(job.now().plus(TTL.dividedBy(2)));
    }

    @Test
    void l04_aLeaseWhoseLockWasDeletedIsLostAndStaysLost() {
        job.running();
        job.call("DEL", job.lease());

        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.LEASE));
        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.LEASE));
        assertThat(job.lock()).isEmpty();
    }

    @Test
    void aLapsedLeaseIsNeverRenewedEvenIfItsLockStands() {
        Grant grant = job.running();
        job.lapse();
        job.call(
                "SET",
                job.lease(),
                ALICE + "|" + nonceOf(ALICE) + "|" + grant.fence().sequence());

        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.LEASE));
    }

    @Test
    void l01_aRenewalAfterTheEndOfTheRunFindsNothingToRenew() {
        Grant grant = job.running();
        job.finish(ALICE, grant.fence(), job.success());

        assertThat(renew()).isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(job.lock()).isEmpty();
    }

    @Test
    void onlyItsOwnerWithItsNonceRenewsALease() {
        job.running();
        long before = job.number("PTTL", job.lease());

        assertThat(job.store.renew(JOB, BOB, nonceOf(ALICE), Duration.ofHours(1)))
                .isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(job.store.renew(JOB, ALICE, Nonce.create(), Duration.ofHours(1)))
                .isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(job.number("PTTL", job.lease())).isLessThanOrEqualTo(before);
    }

    @Test
    void aCancelReachesTheRunItMeansAndNoLaterOne() {
        job.running();
        job.store.delete(JOB, UID);
        assertThat(renew()).isEqualTo(new Renewal.Renewed(TTL, true));

        job.call("HDEL", job.keys.record(JOB), "del");
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        job.claimed(BOB, nonceOf(BOB));

        assertThat(job.store.renew(JOB, BOB, nonceOf(BOB), TTL)).isEqualTo(new Renewal.Renewed(TTL, false));
    }

    @Test
    void l02_aLeaseTakenAfterOneThatLapsedIsRenewedAsEver() {
        job.running();
        job.lapse();
        assertThat(renew()).isInstanceOf(Renewal.Lost.class);
        job.watch();
        job.call("HSET", job.keys.record(JOB), "due", "0");
        Nonce second = Nonce.create();
        job.claimed(ALICE, second);

        for (int i = 0; i < 12; i++) {
            assertThat(job.store.renew(JOB, ALICE, second, TTL)).isInstanceOf(Renewal.Renewed.class);
        }
    }
}
