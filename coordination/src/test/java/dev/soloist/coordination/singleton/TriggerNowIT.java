package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.done;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TriggerNowIT {

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

    private TriggerNow trigger(String request) {
        return job.store.triggerNow(JOB, false, request);
    }

    @Test
    void aDelayedJobIsReadyNowAndItsPlannedSlotFollows() {
        job.delayed();
        Instant planned = job.store.snapshot(JOB).due();

        assertThat(trigger("one")).isInstanceOf(TriggerNow.Triggered.class);

        assertThat(job.readyTokens()).containsExactly("1");
        assertThat(job.delayedTokens()).isEmpty();
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));
        assertThat(grant.scheduledAt()).isBefore(planned);
        job.finish(ALICE, grant.fence(), done(RunResult.SUCCEEDED, planned.plusSeconds(99), false));
        assertThat(job.store.snapshot(JOB).due()).isEqualTo(planned);
        assertThat(job.store.snapshot(JOB).pendingDue()).isNull();
    }

    @Test
    void aReadyJobStaysAsItIs() {
        job.ready();
        Instant due = job.store.snapshot(JOB).due();

        assertThat(trigger("one")).isEqualTo(new TriggerNow.Triggered(due));
        assertThat(job.readyTokens()).containsExactly("1");
        assertThat(job.store.snapshot(JOB).slot()).isEqualTo(due);
    }

    @Test
    void aRunningJobRunsOnceMoreAfterwards() {
        Grant grant = job.running();

        assertThat(trigger("one")).isInstanceOf(TriggerNow.AfterRun.class);
        assertThat(trigger("two")).isInstanceOf(TriggerNow.AfterRun.class);

        job.finish(ALICE, grant.fence(), job.success());
        Grant second = job.claimed(ALICE, Nonce.create());
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(job.store.snapshot(JOB).triggered()).isFalse();
    }

    @Test
    void aRepeatedRequestIsAnsweredAlikeAndMakesNoSecondRun() {
        job.delayed();
        TriggerNow first = trigger("one");
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));
        assertThat(trigger("one")).isEqualTo(first);
        job.finish(ALICE, grant.fence(), job.success());
        Map<String, Object> before = job.everything();

        assertThat(trigger("one")).isEqualTo(first);
        assertThat(job.everything()).isEqualTo(before);
        assertThat(trigger("two")).isInstanceOf(TriggerNow.Triggered.class);
    }

    @Test
    void whatSomebodyAskedForIsOwedOnceAlsoWhenItsHolderDies() {
        job.delayed();
        trigger("one");
        Nonce nonce = Nonce.create();
        assertThat(job.claimed(ALICE, nonce).owed()).isTrue();
        job.lapse();
        job.store.watch(JOB, job.watchRequest(AbandonPolicy.SKIP, 0));
        assertThat(job.record()).as("its slot is passed over").doesNotContainKey("hand");

        assertThat(job.store.triggerNow(JOB, true, "two")).isInstanceOf(TriggerNow.Triggered.class);
        Grant second = job.claimed(ALICE, Nonce.create());
        assertThat(second.owed()).isTrue();
        job.store.reclaim(JOB, ALICE, second.fence(), job.watchRequest(AbandonPolicy.SKIP, 0));
        assertThat(job.record()).as("as a proof of death tells").doesNotContainKey("hand");
    }

    @Test
    void whatSomebodyAskedForDuringARunIsOwedAfterItsHolderDied() {
        job.running();
        trigger("one");
        job.lapse();
        job.store.watch(JOB, job.watchRequest(AbandonPolicy.SKIP, 0));
        Grant second = job.claimed(ALICE, Nonce.create());
        assertThat(second.owed()).isTrue();

        trigger("two");
        job.store.reclaim(JOB, ALICE, second.fence(), job.watchRequest(AbandonPolicy.SKIP, 0));
        assertThat(job.claimed(ALICE, Nonce.create()).owed()).isTrue();
    }

    @Test
    void anAttemptThatFollowsAnAbandonedRunByHandIsOwedStill() {
        job.delayed();
        trigger("one");
        Grant first = job.claimed(ALICE, Nonce.create());
        job.store.reclaim(JOB, ALICE, first.fence(), job.watchRequest(AbandonPolicy.RETRY, 3));

        Grant second = job.claimed(ALICE, nonceOf(ALICE));
        assertThat(second.owed()).isTrue();
        job.finish(ALICE, second.fence(), job.success());
        assertThat(job.record()).doesNotContainKey("hand");
    }

    @Test
    void aRetryThatWaitsIsBroughtForward() {
        Grant first = job.running();
        job.finish(ALICE, first.fence(), done(RunResult.FAILED, job.now().plusSeconds(600), true));

        trigger("one");

        Grant second = job.claimed(ALICE, Nonce.create());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
    }

    @Test
    void aHoldIsRespectedUnlessForced() {
        Grant grant = job.running();
        Instant next = job.now().plusSeconds(3600);
        job.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(
                        RunResult.SUCCEEDED, "", next, false, ReleasePolicy.HOLD_UNTIL_NEXT_RUN, Duration.ZERO));

        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.NOT_BEFORE, next));
        assertThat(job.store.triggerNow(JOB, true, "one")).isInstanceOf(TriggerNow.Triggered.class);
        assertThat(job.claim(ALICE, Nonce.create())).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void jobsThatMayNotRunSayWhy() {
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.ABSENT, Instant.EPOCH));
        job.paused();
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.PAUSED, Instant.EPOCH));
        job.store.resume(JOB, job.now());
        job.claimed(ALICE, nonceOf(ALICE));
        job.store.suspend(JOB);
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.PAUSED, Instant.EPOCH));
        job.store.delete(JOB, UID);
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.DELETED, Instant.EPOCH));
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.DELETED, Instant.EPOCH));
    }

    @Test
    void aTriggerOutlivesASilentHolder() {
        job.running();
        trigger("one");
        job.lapse();
        job.store.watch(JOB, job.watchRequest(AbandonPolicy.SKIP, 3));

        assertThat(job.claim(ALICE, Nonce.create())).isInstanceOf(Claim.Claimed.class);
    }
}
