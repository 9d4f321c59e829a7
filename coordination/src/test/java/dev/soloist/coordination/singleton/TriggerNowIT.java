package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.done;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TriggerNowIT {

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

    private TriggerNow trigger(String request) {
        return bench.store.triggerNow(JOB, false, request);
    }

    @Test
    void aDelayedJobIsReadyNowAndItsPlannedSlotFollows() {
        bench.delayed();
        Instant planned = bench.store.snapshot(JOB).due();

        assertThat(trigger("one")).isInstanceOf(TriggerNow.Triggered.class);

        assertThat(bench.readyTokens()).containsExactly("1");
        assertThat(bench.delayedTokens()).isEmpty();
        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));
        assertThat(grant.scheduledAt()).isBefore(planned);
        bench.finish(ALICE, grant.fence(), done(RunResult.SUCCEEDED, planned.plusSeconds(99), false));
        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(planned);
        assertThat(bench.store.snapshot(JOB).pendingDue()).isNull();
    }

    @Test
    void aReadyJobStaysAsItIs() {
        bench.ready();
        Instant due = bench.store.snapshot(JOB).due();

        assertThat(trigger("one")).isEqualTo(new TriggerNow.Triggered(due));
        assertThat(bench.readyTokens()).containsExactly("1");
        assertThat(bench.store.snapshot(JOB).slot()).isEqualTo(due);
    }

    @Test
    void aRunningJobRunsOnceMoreAfterwards() {
        Grant grant = bench.running();

        assertThat(trigger("one")).isInstanceOf(TriggerNow.AfterRun.class);
        assertThat(trigger("two")).isInstanceOf(TriggerNow.AfterRun.class);

        bench.finish(ALICE, grant.fence(), bench.success());
        Grant second = bench.claimed(ALICE, Nonce.create());
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(bench.store.snapshot(JOB).triggered()).isFalse();
    }

    @Test
    void aRepeatedRequestIsAnsweredAlikeAndMakesNoSecondRun() {
        bench.delayed();
        TriggerNow first = trigger("one");
        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));
        assertThat(trigger("one")).isEqualTo(first);
        bench.finish(ALICE, grant.fence(), bench.success());
        Map<String, Object> before = bench.everything();

        assertThat(trigger("one")).isEqualTo(first);
        assertThat(bench.everything()).isEqualTo(before);
        assertThat(trigger("two")).isInstanceOf(TriggerNow.Triggered.class);
    }

    @Test
    void aRetryThatWaitsIsBroughtForward() {
        Grant first = bench.running();
        bench.finish(ALICE, first.fence(), done(RunResult.FAILED, bench.now().plusSeconds(600), true));

        trigger("one");

        Grant second = bench.claimed(ALICE, Nonce.create());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
    }

    @Test
    void aHoldIsRespectedUnlessForced() {
        Grant grant = bench.running();
        Instant next = bench.now().plusSeconds(3600);
        bench.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(
                        RunResult.SUCCEEDED, "", next, false, ReleasePolicy.HOLD_UNTIL_NEXT_RUN, Duration.ZERO));

        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.NOT_BEFORE, next));
        assertThat(bench.store.triggerNow(JOB, true, "one")).isInstanceOf(TriggerNow.Triggered.class);
        assertThat(bench.claim(ALICE, Nonce.create())).isInstanceOf(Claim.Claimed.class);
    }

    @Test
    void jobsThatMayNotRunSayWhy() {
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.ABSENT, Instant.EPOCH));
        bench.paused();
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.PAUSED, Instant.EPOCH));
        bench.store.resume(JOB, bench.now());
        bench.claimed(ALICE, nonceOf(ALICE));
        bench.store.suspend(JOB);
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.PAUSED, Instant.EPOCH));
        bench.store.delete(JOB, UID);
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.DELETED, Instant.EPOCH));
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        assertThat(trigger("one")).isEqualTo(new TriggerNow.Refused(TriggerNow.Reason.DELETED, Instant.EPOCH));
    }

    @Test
    void aTriggerOutlivesASilentHolder() {
        bench.running();
        trigger("one");
        bench.lapse();
        bench.store.watch(JOB, bench.watchRequest(AbandonPolicy.SKIP, 3));

        assertThat(bench.claim(ALICE, Nonce.create())).isInstanceOf(Claim.Claimed.class);
    }
}
