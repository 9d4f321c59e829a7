package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.done;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReleaseIT {

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
    void aLeaseGivenBackIsReadyAtOnceWithTheSameSlotAndAttempt() {
        Grant first = job.running();

        assertThat(job.store.release(JOB, ALICE, nonceOf(ALICE)))
                .isEqualTo(new Releasing.Released(SingletonState.READY));

        assertThat(job.readyTokens()).containsExactly("1");
        Grant second = job.claimed(BOB, nonceOf(BOB));
        assertThat(second.generation()).isEqualTo(first.generation());
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(job.store.history(JOB))
                .singleElement()
                .extracting(RunSummary::result)
                .isEqualTo(RunResult.INTERRUPTED);
    }

    @Test
    void theSlotOfAnInterruptedRunIsOwedUntilARunEndsIt() {
        Grant first = job.running();
        assertThat(first.owed()).isFalse();
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        assertThat(job.claimed(BOB, nonceOf(BOB)).owed())
                .as("given back unbegun")
                .isFalse();

        assertThat(job.store.interrupt(JOB, BOB, nonceOf(BOB))).isEqualTo(new Releasing.Released(SingletonState.READY));
        assertThat(job.store.interrupt(JOB, BOB, nonceOf(BOB))).isInstanceOf(Releasing.SpentOnly.class);
        Nonce second = Nonce.create();
        Grant owed = job.claimed(ALICE, second);
        assertThat(owed.owed()).isTrue();
        assertThat(owed.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(owed.attempt()).isEqualTo(1);

        // Also when the next pod finds its app absent.
        job.store.release(JOB, ALICE, second);
        Nonce third = Nonce.create();
        Grant last = job.claimed(BOB, third);
        assertThat(last.owed()).isTrue();
        job.store.finish(JOB, BOB, third, last.fence(), done(RunResult.SUCCEEDED, job.now(), false));
        assertThat(job.claimed(ALICE, Nonce.create()).owed()).isFalse();
    }

    @Test
    void aSlotThatTakesThePlaceOfAnOwedOneIsOwedNoMore() {
        job.running();
        job.store.interrupt(JOB, ALICE, nonceOf(ALICE));
        job.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), job.now());
        Nonce nonce = Nonce.create();
        assertThat(job.claimed(BOB, nonce).owed()).as("of a changed schedule").isFalse();

        job.store.interrupt(JOB, BOB, nonce);
        job.store.suspend(JOB);
        job.store.resume(JOB, job.now());
        nonce = Nonce.create();
        Grant resumed = job.claimed(BOB, nonce);
        assertThat(resumed.owed()).as("after a pause").isFalse();

        job.store.interrupt(JOB, BOB, nonce);
        Grant again = job.claimed(ALICE, Nonce.create());
        job.store.reclaim(JOB, ALICE, again.fence(), job.watchRequest(AbandonPolicy.SKIP, 0));
        assertThat(job.record())
                .as("after its holder died and the slot is passed over")
                .doesNotContainKey("hand");
    }

    @Test
    void aSecondReleaseHasNoFurtherEffect() {
        job.running();
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        job.claimed(BOB, nonceOf(BOB));
        Map<String, Object> before = job.everything();

        assertThat(job.store.release(JOB, ALICE, nonceOf(ALICE))).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void givingUpAClaimDoesNotTouchTheLeaseOfAnother() {
        job.running();
        String lock = job.lock();

        assertThat(job.store.release(JOB, BOB, nonceOf(BOB))).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(job.store.release(JOB, ALICE, Nonce.create())).isInstanceOf(Releasing.SpentOnly.class);

        assertThat(job.lock()).isEqualTo(lock);
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aReleaseOfAJobThatWasSuspendedOrDeletedEndsThere() {
        job.running();
        job.store.suspend(JOB);
        assertThat(job.store.release(JOB, ALICE, nonceOf(ALICE)))
                .isEqualTo(new Releasing.Released(SingletonState.PAUSED));
        assertThat(job.readyTokens()).isEmpty();

        job.store.resume(JOB, job.now());
        job.claimed(BOB, nonceOf(BOB));
        job.store.delete(JOB, UID);
        assertThat(job.store.release(JOB, BOB, nonceOf(BOB))).isEqualTo(new Releasing.Released(SingletonState.DELETED));
        assertThat(job.number("PTTL", job.keys.record(JOB))).isPositive();
    }

    @Test
    void aResultAfterTheReleaseIsLate() {
        Grant grant = job.running();
        job.store.release(JOB, ALICE, nonceOf(ALICE));

        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.state()).isEqualTo(SingletonState.READY);
    }

    @Test
    void aReleaseWithoutARecordMakesNone() {
        assertThat(job.store.release(JOB, ALICE, nonceOf(ALICE))).isInstanceOf(Releasing.SpentOnly.class);
        assertThat(job.number("DBSIZE")).isZero();
    }
}
