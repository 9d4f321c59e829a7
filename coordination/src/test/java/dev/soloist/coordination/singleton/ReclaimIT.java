package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ReclaimIT {

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

    private Reclaim reclaim(Fence fence) {
        return job.store.reclaim(JOB, ALICE, fence, job.watchRequest());
    }

    @Test
    void theSlotOfADeadInstanceIsReadyAtOnceThoughItsLeaseLives() {
        Grant first = job.running();

        assertThat(reclaim(first.fence())).isEqualTo(new Reclaim.Reclaimed(SingletonState.READY));

        assertThat(job.lock()).isEmpty();
        assertThat(job.readyTokens()).containsExactly("2");
        Grant second = job.claimed(BOB, nonceOf(BOB));
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(job.store.history(JOB))
                .singleElement()
                .extracting(RunSummary::result)
                .isEqualTo(RunResult.ABANDONED);
    }

    @Test
    void r02_anotherInstanceOrAnotherFenceIsNotTouched() {
        Grant grant = job.running();
        Map<String, Object> before = job.everything();
        Fence fence = grant.fence();

        assertThat(job.store.reclaim(JOB, BOB, fence, job.watchRequest())).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(reclaim(new Fence(fence.term(), fence.sequence() - 1))).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(reclaim(new Fence(fence.term() + 1, fence.sequence()))).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void twoReclaimersMakeOneNewSlot() {
        Grant grant = job.running();
        reclaim(grant.fence());
        Map<String, Object> before = job.everything();

        assertThat(reclaim(grant.fence())).isInstanceOf(Reclaim.NotHeld.class);
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void theDeadHoldersOwnCallsComeTooLate() {
        Grant grant = job.running();
        reclaim(grant.fence());

        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), SingletonUnderTest.TTL))
                .isEqualTo(new Renewal.Lost(Renewal.Cause.RECORD));
        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Late.class);
    }

    @Test
    void aJobThatKillsItsPodsWaitsForItsNextSlotAfterTheMissesAllowed() {
        Grant grant = job.running();
        job.call("HSET", job.keys.record(JOB), "misses", "3");
        WatchRequest request = job.watchRequest();

        assertThat(job.store.reclaim(JOB, ALICE, grant.fence(), request))
                .isEqualTo(new Reclaim.Reclaimed(SingletonState.DELAYED));
        assertThat(job.store.snapshot(JOB).due()).isEqualTo(request.nextDue());
    }

    @Test
    void theSkipPolicyTakesAScheduleChangedUnderTheRun() {
        Grant grant = job.running();
        Instant due = job.now().plusSeconds(7200);
        job.store.updateSpec(JOB, new SpecRevision("2", "every 2h"), due);

        job.store.reclaim(JOB, ALICE, grant.fence(), job.watchRequest(AbandonPolicy.SKIP, 3));

        assertThat(job.store.snapshot(JOB).due()).isEqualTo(due);
    }

    @Test
    void aSuspendedOrDeletedJobEndsThere() {
        Grant grant = job.running();
        job.store.suspend(JOB);
        assertThat(reclaim(grant.fence())).isEqualTo(new Reclaim.Reclaimed(SingletonState.PAUSED));

        job.store.resume(JOB, job.now());
        Grant second = job.claimed(BOB, nonceOf(BOB));
        job.store.delete(JOB, UID);
        assertThat(job.store.reclaim(JOB, BOB, second.fence(), job.watchRequest()))
                .isEqualTo(new Reclaim.Reclaimed(SingletonState.DELETED));
        assertThat(job.number("EXISTS", job.keys.mark(JOB))).isZero();
    }
}
