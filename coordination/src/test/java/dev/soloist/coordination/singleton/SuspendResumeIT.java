package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SuspendResumeIT {

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
    void aDelayedOrReadyJobPausesAtOnceAndResumesAtTheSlotGiven() {
        bench.delayed();
        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(bench.delayedTokens()).isEmpty();

        Instant due = bench.now();
        assertThat(bench.store.resume(JOB, due)).isEqualTo(SingletonState.DELAYED);
        assertThat(bench.delayedTokens()).containsExactly("2", String.valueOf(due.toEpochMilli()));

        bench.store.promote(JOB);
        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.PAUSED);
        assertThat(bench.readyTokens()).isEmpty();
        assertThat(bench.claim(ALICE, nonceOf(ALICE))).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void aRunInProgressEndsInItsOwnTimeAndThenTheJobIsPaused() {
        Grant grant = bench.running();

        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.RUNNING);
        assertThat(bench.store.renew(JOB, ALICE, nonceOf(ALICE), SingletonBench.TTL))
                .isEqualTo(new Renewal.Renewed(SingletonBench.TTL, false));

        assertThat(bench.finish(ALICE, grant.fence(), bench.success()))
                .isInstanceOfSatisfying(
                        Finishing.Finished.class, end -> assertThat(end.state()).isEqualTo(SingletonState.PAUSED));
        assertThat(bench.delayedTokens()).isEmpty();
        assertThat(bench.store.snapshot(JOB).suspendRequested()).isFalse();
    }

    @Test
    void aSuspensionTakenBackDuringTheRunLeavesNoTrace() {
        Grant grant = bench.running();
        bench.store.suspend(JOB);

        assertThat(bench.store.resume(JOB, bench.now())).isEqualTo(SingletonState.RUNNING);

        bench.finish(ALICE, grant.fence(), bench.success());
        assertThat(bench.state()).isEqualTo(SingletonState.DELAYED);
    }

    @Test
    void aSuspensionEndsAnEarlierTrigger() {
        Grant grant = bench.running();
        bench.store.triggerNow(JOB, false, "one");
        bench.store.suspend(JOB);
        bench.store.resume(JOB, bench.now());

        bench.finish(ALICE, grant.fence(), bench.success());
        assertThat(bench.claim(ALICE, Nonce.create())).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void whatIsAskedAtEveryReconcileChangesNothingTheSecondTime() {
        bench.paused();
        Map<String, Object> before = bench.everything();
        bench.store.suspend(JOB);
        assertThat(bench.everything()).isEqualTo(before);

        bench.store.resume(JOB, bench.now().plusSeconds(60));
        before = bench.everything();
        bench.store.resume(JOB, bench.now().plusSeconds(90));
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void jobsThatAreNotThereStayAway() {
        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.ABSENT);
        assertThat(bench.store.resume(JOB, bench.now())).isEqualTo(SingletonState.ABSENT);
        assertThat(bench.number("DBSIZE")).isZero();
        bench.deleted();
        assertThat(bench.store.suspend(JOB)).isEqualTo(SingletonState.DELETED);
        assertThat(bench.store.resume(JOB, bench.now())).isEqualTo(SingletonState.DELETED);
        assertThat(bench.store.delete(JOB, UID)).isInstanceOf(Deletion.Deleted.class);
    }
}
