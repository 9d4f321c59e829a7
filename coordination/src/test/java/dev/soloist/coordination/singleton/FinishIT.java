package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.done;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FinishIT {

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

    private Instant inAnHour() {
        return job.now().plusSeconds(3600);
    }

    @Test
    void aRunThatSucceedsFreesTheLockAndSetsTheNextSlot() {
        Grant grant = job.running();
        Instant next = inAnHour();

        Finishing finishing = job.finish(ALICE, grant.fence(), done(RunResult.SUCCEEDED, next, false));

        assertThat(finishing).isEqualTo(new Finishing.Finished(SingletonState.DELAYED, next));
        assertThat(job.lock()).isEmpty();
        assertThat(job.delayedTokens()).containsExactly("2", String.valueOf(next.toEpochMilli()));
        SingletonSnapshot seen = job.store.snapshot(JOB, 20);
        assertThat(seen.generation()).isEqualTo(2);
        assertThat(seen.slot()).isEqualTo(next);
        assertThat(seen.attempt()).isZero();
        assertThat(seen.current()).isNull();
        assertThat(seen.runs()).isEqualTo(1);
        assertThat(seen.lastSuccess()).isNotNull();
        assertThat(seen.last()).isNotNull();
        assertThat(seen.last().generation()).isEqualTo(1);
        assertThat(seen.last().fence()).isEqualTo(grant.fence());
        assertThat(seen.last().pod()).isEqualTo("pod-alice-uid");
        assertThat(seen.last().start()).isEqualTo(grant.redisNow());
        assertThat(seen.history())
                .singleElement()
                .isEqualTo(new RunSummary(
                        1,
                        grant.fence(),
                        "pod-alice-uid",
                        grant.scheduledAt(),
                        grant.redisNow(),
                        seen.last().end(),
                        RunResult.SUCCEEDED,
                        "said so"));
    }

    @Test
    void aRepeatIsKnownAndChangesNothing() {
        Grant grant = job.running();
        FinishRequest request = job.success();
        job.finish(ALICE, grant.fence(), request);
        Map<String, Object> before = job.everything();

        assertThat(job.finish(ALICE, grant.fence(), request)).isInstanceOf(Finishing.Repeated.class);
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void aRunWhoseLeaseHasLapsedMayStillBeFinishedWhileNobodyHasSettledIt() {
        Grant grant = job.running();
        job.lapse();

        assertThat(job.finish(ALICE, grant.fence(), done(RunResult.ABORTED, inAnHour(), false)))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void l04_aResultAfterTheRunWasSettledIsNotedAsLateOnceAndChangesNoState() {
        Grant grant = job.running();
        job.lapse();
        job.watch();
        SingletonSnapshot before = job.store.snapshot(JOB);

        for (int i = 0; i < 2; i++) {
            assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        }

        SingletonSnapshot after = job.store.snapshot(JOB);
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.due()).isEqualTo(before.due());
        assertThat(after.runs()).isEqualTo(before.runs());
        assertThat(job.store.history(JOB))
                .extracting(RunSummary::result)
                .containsExactly(RunResult.LATE, RunResult.ABANDONED);
        assertThat(job.store.history(JOB)).extracting(RunSummary::fence).containsOnly(grant.fence());
    }

    @Test
    void aLateResultDoesNotTouchTheNextHolder() {
        Grant old = job.running();
        job.lapse();
        job.watch();
        job.call("HSET", job.keys.record(JOB), "due", "0");
        Grant current = job.claimed(BOB, nonceOf(BOB));

        assertThat(job.finish(ALICE, old.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.finish(ALICE, current.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.lock()).endsWith("|" + current.fence().sequence());
        assertThat(job.finish(BOB, current.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
    }

    @Test
    void aResultOfAnEarlierRunOfTheSameInstanceDoesNotEndItsPresentOne() {
        Grant old = job.running();
        job.store.release(JOB, ALICE, nonceOf(ALICE));
        Nonce second = Nonce.create();
        Grant current = job.claimed(ALICE, second);

        assertThat(job.finish(ALICE, old.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.store.finish(JOB, ALICE, second, old.fence(), job.success()))
                .isInstanceOf(Finishing.Late.class);
        assertThat(job.finish(ALICE, current.fence(), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aResultForAJobWithoutARecordMakesNoRecord() {
        assertThat(job.finish(ALICE, new Fence(1, 1), job.success())).isInstanceOf(Finishing.Late.class);
        assertThat(job.number("DBSIZE")).isZero();
    }

    @Test
    void aRetryKeepsSlotAndAttemptAndTheNextSlotStartsAnew() {
        Grant first = job.running();
        job.finish(ALICE, first.fence(), done(RunResult.FAILED, job.now(), true));
        Grant second = job.claimed(BOB, nonceOf(BOB));

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(second.generation()).isEqualTo(2);
        assertThat(job.store.snapshot(JOB).fails()).isEqualTo(1);

        Instant next = job.now();
        job.finish(BOB, second.fence(), done(RunResult.SUCCEEDED, next, false));
        Grant third = job.claimed(ALICE, Nonce.create());
        assertThat(third.attempt()).isEqualTo(1);
        assertThat(third.scheduledAt()).isEqualTo(next);
        assertThat(job.store.snapshot(JOB).fails()).isZero();
    }

    @Test
    void anAttemptThatWasInterruptedDoesNotCount() {
        Grant first = job.running();
        job.finish(ALICE, first.fence(), done(RunResult.INTERRUPTED, job.now(), true));

        assertThat(job.claimed(BOB, nonceOf(BOB)).attempt()).isEqualTo(1);
        assertThat(job.store.snapshot(JOB).fails()).isZero();
    }

    @ParameterizedTest
    @EnumSource(ReleasePolicy.class)
    void l09_theReleasePolicyIsAHoldAndNotAKeptLock(ReleasePolicy policy) {
        Grant grant = job.running();
        Instant next = inAnHour();

        job.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(RunResult.SUCCEEDED, "", next, false, policy, Duration.ofMinutes(5)));

        assertThat(job.lock()).isEmpty();
        assertThat(job.store.snapshot(JOB).notBefore())
                .isEqualTo(
                        switch (policy) {
                            case ON_COMPLETION -> Instant.EPOCH;
                            case HOLD_UNTIL_NEXT_RUN -> next;
                            case HOLD_FOR -> grant.redisNow().plusSeconds(300);
                        });
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void aHoldForATimeDelaysTheNextSlotButNotARetry() {
        Grant first = job.running();
        Instant soon = job.now();
        job.finish(
                ALICE,
                first.fence(),
                new FinishRequest(RunResult.FAILED, "", soon, true, ReleasePolicy.HOLD_FOR, Duration.ofMinutes(5)));
        Grant second = job.claimed(BOB, nonceOf(BOB));

        assertThat(job.finish(
                        BOB,
                        second.fence(),
                        new FinishRequest(
                                RunResult.SUCCEEDED, "", soon, false, ReleasePolicy.HOLD_FOR, Duration.ofMinutes(5))))
                .isEqualTo(new Finishing.Finished(
                        SingletonState.DELAYED, second.redisNow().plusSeconds(300)));
    }

    @Test
    void c01_afterALongPauseOneRunFollowsAndThenTheNextSlotToCome() {
        Every schedule = new Every(Duration.ofSeconds(1));
        job.store.seed(JOB, UID, 1, "m", job.now().minusSeconds(3 * 3600), false, SPEC);
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));

        Instant next = schedule.next(grant.scheduledAt(), job.now());
        job.finish(ALICE, grant.fence(), done(RunResult.SUCCEEDED, next, false));

        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
        assertThat(job.delayedTokens()).containsExactly("2", String.valueOf(next.toEpochMilli()));
    }

    @Test
    void theLockGoesEvenIfItIsForeignByNow() {
        Grant grant = job.running();
        job.call("SET", job.lease(), "somebody");

        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
        assertThat(job.lock()).isEmpty();
    }

    @Test
    void theHistoryKeepsTheNewestTwentyAndMessagesOf512Bytes() {
        job.due();
        for (int i = 0; i < 25; i++) {
            Nonce nonce = Nonce.create();
            Grant grant = job.claimed(ALICE, nonce);
            job.store.finish(
                    JOB,
                    ALICE,
                    nonce,
                    grant.fence(),
                    new FinishRequest(
                            RunResult.FAILED,
                            i + "\"\n" + "\u00e9".repeat(600),
                            job.now(),
                            false,
                            ReleasePolicy.ON_COMPLETION,
                            Duration.ZERO));
        }

        var history = job.store.history(JOB);
        assertThat(history).hasSize(20);
        assertThat(history.getFirst().generation()).isEqualTo(25);
        assertThat(history.getFirst().message())
                .startsWith("24\"\n\u00e9")
                .endsWith("\u00e9")
                .hasSizeBetween(256, 260);
        assertThat(history.getLast().generation()).isEqualTo(6);
    }

    @Test
    void keysOfAWrongTypeDoNotKeepARunFromEnding() {
        Grant grant = job.running();
        for (String key :
                new String[] {job.keys.history(JOB), job.keys.ready(JOB), job.keys.delayed(JOB), job.lease()}) {
            job.call("DEL", key);
            job.call("HSET", key, "wrong", "type");
        }

        assertThat(job.finish(ALICE, grant.fence(), job.success())).isInstanceOf(Finishing.Finished.class);
        assertThat(job.store.history(JOB)).hasSize(1);
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }
}
