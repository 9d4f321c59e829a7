package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonBench.ALICE;
import static dev.soloist.coordination.singleton.SingletonBench.JOB;
import static dev.soloist.coordination.singleton.SingletonBench.SPEC;
import static dev.soloist.coordination.singleton.SingletonBench.UID;
import static dev.soloist.coordination.singleton.SingletonBench.done;
import static dev.soloist.coordination.singleton.SingletonBench.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UpdateSpecIT {

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

    private static final SpecRevision YEARLY = new SpecRevision("1", "0 0 1 1 *");
    private static final SpecRevision MINUTELY = new SpecRevision("2", "* * * * *");

    @Test
    void theSameScheduleMovesNothing() {
        bench.delayed();
        Instant due = bench.store.snapshot(JOB).due();

        assertThat(bench.store.updateSpec(JOB, SPEC, bench.now())).isInstanceOf(SpecUpdate.Unchanged.class);
        assertThat(bench.store.updateSpec(JOB, new SpecRevision("2", SPEC.scheduleText()), bench.now()))
                .isInstanceOf(SpecUpdate.Unchanged.class);

        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(due);
        assertThat(bench.store.snapshot(JOB).generation()).isEqualTo(1);
        assertThat(bench.store.snapshot(JOB).spec().revision()).isEqualTo("2");
    }

    @Test
    void t07_aNewScheduleTakesEffectBeforeTheOldSlotAlsoUnderAHold() {
        bench.store.seed(JOB, UID, 1, "m", bench.now(), false, YEARLY);
        Grant grant = bench.claimed(ALICE, nonceOf(ALICE));
        bench.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(
                        RunResult.SUCCEEDED,
                        "",
                        bench.now().plus(Duration.ofDays(365)),
                        false,
                        ReleasePolicy.HOLD_UNTIL_NEXT_RUN,
                        Duration.ZERO));
        Instant soon = bench.now().plusSeconds(60);

        assertThat(bench.store.updateSpec(JOB, MINUTELY, soon)).isInstanceOf(SpecUpdate.Updated.class);

        assertThat(bench.delayedTokens()).containsExactly("3", String.valueOf(soon.toEpochMilli()));
        assertThat(bench.store.snapshot(JOB).nextRun()).isEqualTo(soon);
        assertThat(bench.store.updateSpec(JOB, MINUTELY, soon)).isInstanceOf(SpecUpdate.Unchanged.class);
    }

    @Test
    void aHoldForATimeStays() {
        Grant grant = bench.running();
        bench.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(
                        RunResult.SUCCEEDED,
                        "",
                        bench.now().plusSeconds(7200),
                        false,
                        ReleasePolicy.HOLD_FOR,
                        Duration.ofMinutes(5)));

        bench.store.updateSpec(JOB, MINUTELY, bench.now());

        assertThat(bench.store.snapshot(JOB).nextRun())
                .isEqualTo(grant.redisNow().plusSeconds(300));
    }

    @Test
    void aReadySlotOfTheOldScheduleIsVoid() {
        bench.ready();
        Instant due = bench.now().plusSeconds(60);

        bench.store.updateSpec(JOB, MINUTELY, due);

        assertThat(bench.readyTokens()).isEmpty();
        assertThat(bench.delayedTokens()).containsExactly("2", String.valueOf(due.toEpochMilli()));
    }

    @Test
    void aRunInProgressIsFollowedByTheNewSlot() {
        Grant grant = bench.running();
        Instant due = bench.now().plusSeconds(60);

        assertThat(bench.store.updateSpec(JOB, MINUTELY, due)).isInstanceOf(SpecUpdate.AfterRun.class);
        assertThat(bench.store.updateSpec(JOB, MINUTELY, due)).isInstanceOf(SpecUpdate.Unchanged.class);

        bench.finish(ALICE, grant.fence(), bench.success());
        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(due);
    }

    @Test
    void aRetryBeforeTheNewSlotStillHappensAndTheNewSlotFollows() {
        Grant grant = bench.running();
        Instant due = bench.now().plusSeconds(3600);
        bench.store.updateSpec(JOB, MINUTELY, due);

        bench.finish(ALICE, grant.fence(), done(RunResult.FAILED, bench.now(), true));
        Grant second = bench.claimed(SingletonBench.BOB, nonceOf(SingletonBench.BOB));
        assertThat(second.attempt()).isEqualTo(2);

        bench.finish(SingletonBench.BOB, second.fence(), bench.success());
        assertThat(bench.store.snapshot(JOB).due()).isEqualTo(due);
    }

    @Test
    void aPausedJobStaysPaused() {
        bench.paused();

        assertThat(bench.store.updateSpec(JOB, MINUTELY, bench.now())).isInstanceOf(SpecUpdate.Updated.class);

        assertThat(bench.state()).isEqualTo(SingletonState.PAUSED);
        assertThat(bench.delayedTokens()).isEmpty();
    }

    @Test
    void jobsThatAreNotThereStayAway() {
        assertThat(bench.store.updateSpec(JOB, MINUTELY, bench.now())).isInstanceOf(SpecUpdate.Unchanged.class);
        assertThat(bench.number("DBSIZE")).isZero();
        bench.deleted();
        Map<String, Object> before = bench.everything();
        assertThat(bench.store.updateSpec(JOB, MINUTELY, bench.now())).isInstanceOf(SpecUpdate.Unchanged.class);
        assertThat(bench.everything()).isEqualTo(before);
    }

    @Test
    void t06_twoClientsThatAlternateSchedulesLeaveOneToken() throws Exception {
        bench.delayed();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<SpecUpdate>> updates = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                SpecRevision spec = i % 2 == 0 ? YEARLY : MINUTELY;
                Instant due = bench.now().plusSeconds(100 + i);
                updates.add(() -> bench.store.updateSpec(JOB, spec, due));
            }
            for (Future<SpecUpdate> update : pool.invokeAll(updates)) {
                update.get();
            }
        }
        Map<String, String> record = bench.record();
        assertThat(bench.delayedTokens()).containsExactly(record.get("gen"), record.get("due"));
        assertThat(bench.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }
}
