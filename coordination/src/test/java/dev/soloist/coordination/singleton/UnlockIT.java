package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.ServerUnderTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnlockIT {

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
    void w03_aForeignLockGoesWhenItIsTheOneThatWasSeenAndTheJobGoesOnInTheHigherTerm() {
        job.ready();
        job.call("SET", job.lease(), "somebody");

        assertThat(job.store.foreignLock(JOB)).isEqualTo(new Unlocking.Foreign("somebody"));
        assertThat(job.store.unlock(JOB, "another", 7)).isEqualTo(new Unlocking.Foreign("somebody"));
        assertThat(job.store.snapshot(JOB).term()).isEqualTo(1);
        assertThat(job.store.unlock(JOB, "somebody", 7)).isEqualTo(new Unlocking.Unlocked());
        assertThat(job.store.unlock(JOB, "somebody", 7)).isEqualTo(new Unlocking.NoLock());

        assertThat(job.store.snapshot(JOB).term()).isEqualTo(7);
        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.StaleTerm.class);
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void w03_theLeaseOfARunIsNeverTaken() {
        job.running();
        String lease = job.lock();

        assertThat(job.store.foreignLock(JOB)).isEqualTo(new Unlocking.Owned());
        assertThat(job.store.unlock(JOB, lease, 7)).isEqualTo(new Unlocking.Owned());
        assertThat(job.lock()).isEqualTo(lease);
        assertThat(job.store.snapshot(JOB).term()).isEqualTo(1);
    }

    @Test
    void w03_aLockThatOverwroteALeaseGoesAndTheRunIsSettledAsAnAbandonedOne() {
        job.running();
        job.call("SET", job.lease(), "somebody");
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.CORRUPT);

        assertThat(job.store.unlock(JOB, "somebody", 2)).isEqualTo(new Unlocking.Unlocked());
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.WAIT);
        assertThat(job.claim(BOB, nonceOf(BOB))).isNotInstanceOf(Claim.Claimed.class);
    }

    @Test
    void w03_aLockThatIsNoTextCanBeRemovedToo() {
        job.ready();
        job.call("RPUSH", job.lease(), "x");
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.CORRUPT);

        assertThat(job.store.foreignLock(JOB)).isInstanceOfSatisfying(Unlocking.Foreign.class, foreign -> {
            assertThat(job.store.unlock(JOB, foreign.value(), 2)).isEqualTo(new Unlocking.Unlocked());
        });
    }

    @Test
    void w03_aLockWithoutARecordGoesAndNoRecordIsMade() {
        job.call("SET", job.lease(), "somebody");

        assertThat(job.store.unlock(JOB, "somebody", 2)).isEqualTo(new Unlocking.Unlocked());
        assertThat(job.state()).isEqualTo(SingletonState.ABSENT);
    }
}
