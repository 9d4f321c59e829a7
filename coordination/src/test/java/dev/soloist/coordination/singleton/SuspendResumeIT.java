package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SuspendResumeIT {

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
    void aDelayedOrReadyJobPausesAtOnceAndResumesAtTheSlotGiven() {
        job.delayed();
        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(job.delayedTokens()).isEmpty();

        Instant due = job.now();
        assertThat(job.store.resume(JOB, due)).isEqualTo(SingletonState.DELAYED);
        assertThat(job.delayedTokens()).containsExactly("2", String.valueOf(due.toEpochMilli()));

        job.store.promote(JOB);
        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(job.readyTokens()).isEmpty();
        assertThat(job.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void aRunInProgressEndsInItsOwnTimeAndThenTheJobIsPaused() {
        Grant grant = job.running();

        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.RUNNING);
        assertThat(job.store.renew(JOB, ALICE, nonceOf(ALICE), SingletonUnderTest.TTL))
                .isEqualTo(new Renewal.Renewed(SingletonUnderTest.TTL, false));

        assertThat(job.finish(ALICE, grant.fence(), job.success()))
                .isInstanceOfSatisfying(
                        Finishing.Finished.class, end -> assertThat(end.state()).isEqualTo(SingletonState.PAUSED));
        assertThat(job.delayedTokens()).isEmpty();
        assertThat(job.store.snapshot(JOB).suspendRequested()).isFalse();
    }

    @Test
    void aSuspensionTakenBackDuringTheRunLeavesNoTrace() {
        Grant grant = job.running();
        job.store.suspend(JOB);

        assertThat(job.store.resume(JOB, job.now())).isEqualTo(SingletonState.RUNNING);

        job.finish(ALICE, grant.fence(), job.success());
        assertThat(job.state()).isEqualTo(SingletonState.DELAYED);
    }

    @Test
    void aSuspensionEndsAnEarlierTrigger() {
        Grant grant = job.running();
        job.store.triggerNow(JOB, false, "one");
        job.store.suspend(JOB);
        job.store.resume(JOB, job.now());

        job.finish(ALICE, grant.fence(), job.success());
        assertThat(job.claim(ALICE, Nonce.create())).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void whatIsAskedAtEveryReconcileChangesNothingTheSecondTime() {
        job.paused();
        Map<String, Object> before = job.everything();
        job.store.suspend(JOB);
        assertThat(job.everything()).isEqualTo(before);

        job.store.resume(JOB, job.now().plusSeconds(60));
        before = job.everything();
        job.store.resume(JOB, job.now().plusSeconds(90));
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void jobsThatAreNotThereStayAway() {
        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.ABSENT);
        assertThat(job.store.resume(JOB, job.now())).isEqualTo(SingletonState.ABSENT);
        assertThat(job.number("DBSIZE")).isZero();
        job.deleted();
        assertThat(job.store.suspend(JOB)).isEqualTo(SingletonState.DELETED);
        assertThat(job.store.resume(JOB, job.now())).isEqualTo(SingletonState.DELETED);
        assertThat(job.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
    }
}
