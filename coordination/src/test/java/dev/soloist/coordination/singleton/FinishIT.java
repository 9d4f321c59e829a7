package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.BOB;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.done;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.testkit.RedisProcess;
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

    private Instant inAnHour() {
        return bench.now().plusSeconds(3600);
    }

    @Test
    void aRunThatSucceedsFreesTheLockAndSetsTheNextSlot() {
        Grant grant = bench.running();
        Instant next = inAnHour();

        Finishing finishing = bench.finish(ALICE, grant.fence(), done(RunResult.SUCCEEDED, next, false));

        assertThat(finishing).isEqualTo(new Finishing.Finished(SingletonState.DELAYED, next));
        assertThat(bench.lock()).isEmpty();
        assertThat(bench.delayedTokens()).containsExactly("2", String.valueOf(next.toEpochMilli()));
        SingletonSnapshot job = bench.store.snapshot(JOB, 20);
        assertThat(job.generation()).isEqualTo(2);
        assertThat(job.slot()).isEqualTo(next);
        assertThat(job.attempt()).isZero();
        assertThat(job.current()).isNull();
        assertThat(job.runs()).isEqualTo(1);
        assertThat(job.lastSuccess()).isNotNull();
        assertThat(job.last()).isNotNull();
        assertThat(job.last().generation()).isEqualTo(1);
        assertThat(job.last().fence()).isEqualTo(grant.fence());
        assertThat(job.last().pod()).isEqualTo("pod-alice-uid");
        assertThat(job.last().start()).isEqualTo(grant.redisNow());
        assertThat(job.history())
                .singleElement()
                .isEqualTo(new RunSummary(
                        1,
                        grant.fence(),
                        "pod-alice-uid",
                        grant.scheduledAt(),
                        grant.redisNow(),
                        job.last().end(),
                        RunResult.SUCCEEDED,
                        "said so"));
    }

    @Test
    void aRepeatIsKnownAndChangesNothing() {
        Grant grant = bench.running();
        FinishRequest request = bench.success();
        bench.finish(ALICE, grant.fence(), request);
        Map<String, Object> before = bench.everything();

        assertThat(bench.finish(ALICE, grant.fence(), request)).isInstanceOf(Finishing.Repeated.class);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void aRunWhoseLeaseHasLapsedMayStillBeFinishedWhileNobodyHasSettledIt() {
        Grant grant = bench.running();
        bench.lapse();

        assertThat(bench.finish(ALICE, grant.fence(), done(RunResult.ABORTED, inAnHour(), false)))
                .isInstanceOf(Finishing.Finished.class);
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void l04_aResultAfterTheRunWasSettledIsNotedAsLateOnceAndChangesNoState() {
        Grant grant = bench.running();
        bench.lapse();
        bench.watch();
        SingletonSnapshot before = bench.store.snapshot(JOB);

        for (int i = 0; i < 2; i++) {
            assertThat(bench.finish(ALICE, grant.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
        }

        SingletonSnapshot after = bench.store.snapshot(JOB);
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.due()).isEqualTo(before.due());
        assertThat(after.runs()).isEqualTo(before.runs());
        assertThat(bench.store.history(JOB))
                .extracting(RunSummary::result)
                .containsExactly(RunResult.LATE, RunResult.ABANDONED);
        assertThat(bench.store.history(JOB)).extracting(RunSummary::fence).containsOnly(grant.fence());
    }

    @Test
    void aLateResultDoesNotTouchTheNextHolder() {
        Grant old = bench.running();
        bench.lapse();
        bench.watch();
        bench.link.call("HSET", bench.keys.record(JOB), "due", "0");
        Grant current = bench.claimed(BOB, nonceOf(BOB));

        assertThat(bench.finish(ALICE, old.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
        assertThat(bench.finish(ALICE, current.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
        assertThat(bench.lock()).endsWith("|" + current.fence().sequence());
        assertThat(bench.finish(BOB, current.fence(), bench.success())).isInstanceOf(Finishing.Finished.class);
    }

    @Test
    void aResultOfAnEarlierRunOfTheSameInstanceDoesNotEndItsPresentOne() {
        Grant old = bench.running();
        bench.store.release(JOB, ALICE, nonceOf(ALICE));
        Nonce second = Nonce.create();
        Grant current = bench.claimed(ALICE, second);

        assertThat(bench.finish(ALICE, old.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
        assertThat(bench.store.finish(JOB, ALICE, second, old.fence(), bench.success()))
                .isInstanceOf(Finishing.Late.class);
        assertThat(bench.finish(ALICE, current.fence(), bench.success())).isInstanceOf(Finishing.Late.class);
        assertThat(bench.state()).isEqualTo(SingletonState.RUNNING);
    }

    @Test
    void aResultForAJobWithoutARecordMakesNoRecord() {
        assertThat(bench.finish(ALICE, new Fence(1, 1), bench.success())).isInstanceOf(Finishing.Late.class);
        assertThat(bench.number("DBSIZE")).isZero();
    }

    @Test
    void aRetryKeepsSlotAndAttemptAndTheNextSlotStartsAnew() {
        Grant first = bench.running();
        bench.finish(ALICE, first.fence(), done(RunResult.FAILED, bench.now(), true));
        Grant second = bench.claimed(BOB, nonceOf(BOB));

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.scheduledAt()).isEqualTo(first.scheduledAt());
        assertThat(second.generation()).isEqualTo(2);
        assertThat(bench.store.snapshot(JOB).fails()).isEqualTo(1);

        Instant next = bench.now();
        bench.finish(BOB, second.fence(), done(RunResult.SUCCEEDED, next, false));
        Grant third = bench.claimed(ALICE, Nonce.create());
        assertThat(third.attempt()).isEqualTo(1);
        assertThat(third.scheduledAt()).isEqualTo(next);
        assertThat(bench.store.snapshot(JOB).fails()).isZero();
    }

    @Test
    void anAttemptThatWasInterruptedDoesNotCount() {
        Grant first = bench.running();
        bench.finish(ALICE, first.fence(), done(RunResult.INTERRUPTED, bench.now(), true));

        assertThat(bench.claimed(BOB, nonceOf(BOB)).attempt()).isEqualTo(1);
        assertThat(bench.store.snapshot(JOB).fails()).isZero();
    }

    @ParameterizedTest
    @EnumSource(ReleasePolicy.class)
    void l09_theReleasePolicyIsAHoldAndNotAKeptLock(ReleasePolicy policy) {
        Grant grant = bench.running();
        Instant next = inAnHour();

        bench.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(RunResult.SUCCEEDED, "", next, false, policy, Duration.ofMinutes(5)));

        assertThat(bench.lock()).isEmpty();
        assertThat(bench.store.snapshot(JOB).notBefore())
                .isEqualTo(
                        switch (policy) {
                            case ON_COMPLETION -> Instant.EPOCH;
                            case HOLD_UNTIL_NEXT_RUN -> next;
                            case HOLD_FOR -> grant.redisNow().plusSeconds(300);
                        });
        assertThat(bench.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
    }

    @Test
    void aHoldForATimeDelaysTheNextSlotButNotARetry() {
        Grant first = bench.running();
        Instant soon = bench.now();
        bench.finish(
                ALICE,
                first.fence(),
                new FinishRequest(RunResult.FAILED, "", soon, true, ReleasePolicy.HOLD_FOR, Duration.ofMinutes(5)));
        Grant second = bench.claimed(BOB, nonceOf(BOB));

        assertThat(bench.finish(
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
        bench.store.seed(JOB, UID, 1, "m", bench.now().minusSeconds(3 * 3600), false, SPEC);
        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));

        Instant next = schedule.next(grant.scheduledAt(), bench.now());
        bench.finish(ALICE, grant.fence(), done(RunResult.SUCCEEDED, next, false));

        assertThat(bench.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
        assertThat(bench.delayedTokens()).containsExactly("2", String.valueOf(next.toEpochMilli()));
    }

    @Test
    void theLockGoesEvenIfItIsForeignByNow() {
        Grant grant = bench.running();
        bench.link.call("SET", bench.keys.lock(JOB), "somebody");

        assertThat(bench.finish(ALICE, grant.fence(), bench.success())).isInstanceOf(Finishing.Finished.class);
        assertThat(bench.lock()).isEmpty();
    }

    @Test
    void theHistoryKeepsTheNewestTwentyAndMessagesOf512Bytes() {
        bench.due();
        for (int i = 0; i < 25; i++) {
            Nonce nonce = Nonce.create();
            Grant grant = bench.claimed(ALICE, nonce);
            bench.store.finish(
                    JOB,
                    ALICE,
                    nonce,
                    grant.fence(),
                    new FinishRequest(
                            RunResult.FAILED,
                            i + "\"\n" + "\u00e9".repeat(600),
                            bench.now(),
                            false,
                            ReleasePolicy.ON_COMPLETION,
                            Duration.ZERO));
        }

        var history = bench.store.history(JOB);
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
        Grant grant = bench.running();
        for (String key : new String[] {
            bench.keys.history(JOB), bench.keys.ready(JOB), bench.keys.delayed(JOB), bench.keys.lock(JOB)
        }) {
            bench.link.call("DEL", key);
            bench.link.call("HSET", key, "wrong", "type");
        }

        assertThat(bench.finish(ALICE, grant.fence(), bench.success())).isInstanceOf(Finishing.Finished.class);
        assertThat(bench.store.history(JOB)).hasSize(1);
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }
}
