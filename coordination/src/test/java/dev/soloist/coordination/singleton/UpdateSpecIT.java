package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.SPEC;
import static dev.soloist.coordination.singleton.SingletonUnderTest.UID;
import static dev.soloist.coordination.singleton.SingletonUnderTest.done;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.testkit.ServerUnderTest;
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

    private static final SpecRevision YEARLY = new SpecRevision("1", "0 0 1 1 *");
    private static final SpecRevision MINUTELY = new SpecRevision("2", "* * * * *");

    @Test
    void theSameScheduleMovesNothing() {
        job.delayed();
        Instant due = job.store.snapshot(JOB).due();

        assertThat(job.store.updateSpec(JOB, SPEC, job.now())).isInstanceOf(SpecUpdate.Unchanged.class);
        assertThat(job.store.updateSpec(JOB, new SpecRevision("2", SPEC.scheduleText()), job.now()))
                .isInstanceOf(SpecUpdate.Unchanged.class);

        assertThat(job.store.snapshot(JOB).due()).isEqualTo(due);
        assertThat(job.store.snapshot(JOB).generation()).isEqualTo(1);
        assertThat(job.store.snapshot(JOB).spec().revision()).isEqualTo("2");
    }

    @Test
    void t07_aNewScheduleTakesEffectBeforeTheOldSlotAlsoUnderAHold() {
        job.store.seed(JOB, UID, 1, "m", job.now(), false, YEARLY);
        Grant grant = job.claimed(ALICE, nonceOf(ALICE));
        job.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(
                        RunResult.SUCCEEDED,
                        "",
                        job.now().plus(Duration.ofDays(365)),
                        false,
                        ReleasePolicy.HOLD_UNTIL_NEXT_RUN,
                        Duration.ZERO));
        Instant soon = job.now().plusSeconds(60);

        assertThat(job.store.updateSpec(JOB, MINUTELY, soon)).isInstanceOf(SpecUpdate.Updated.class);

        assertThat(job.delayedTokens()).containsExactly("3", String.valueOf(soon.toEpochMilli()));
        assertThat(job.store.snapshot(JOB).nextRun()).isEqualTo(soon);
        assertThat(job.store.updateSpec(JOB, MINUTELY, soon)).isInstanceOf(SpecUpdate.Unchanged.class);
    }

    @Test
    void aHoldForATimeStays() {
        Grant grant = job.running();
        job.finish(
                ALICE,
                grant.fence(),
                new FinishRequest(
                        RunResult.SUCCEEDED,
                        "",
                        job.now().plusSeconds(7200),
                        false,
                        ReleasePolicy.HOLD_FOR,
                        Duration.ofMinutes(5)));

        job.store.updateSpec(JOB, MINUTELY, job.now());

        assertThat(job.store.snapshot(JOB).nextRun()).isEqualTo(grant.redisNow().plusSeconds(300));
    }

    @Test
    void aReadySlotOfTheOldScheduleIsVoid() {
        job.ready();
        Instant due = job.now().plusSeconds(60);

        job.store.updateSpec(JOB, MINUTELY, due);

        assertThat(job.readyTokens()).isEmpty();
        assertThat(job.delayedTokens()).containsExactly("2", String.valueOf(due.toEpochMilli()));
    }

    @Test
    void aRunInProgressIsFollowedByTheNewSlot() {
        Grant grant = job.running();
        Instant due = job.now().plusSeconds(60);

        assertThat(job.store.updateSpec(JOB, MINUTELY, due)).isInstanceOf(SpecUpdate.AfterRun.class);
        assertThat(job.store.updateSpec(JOB, MINUTELY, due)).isInstanceOf(SpecUpdate.Unchanged.class);

        job.finish(ALICE, grant.fence(), job.success());
        assertThat(job.store.snapshot(JOB).due()).isEqualTo(due);
    }

    @Test
    void aRetryBeforeTheNewSlotStillHappensAndTheNewSlotFollows() {
        Grant grant = job.running();
        Instant due = job.now().plusSeconds(3600);
        job.store.updateSpec(JOB, MINUTELY, due);

        job.finish(ALICE, grant.fence(), done(RunResult.FAILED, job.now(), true));
        Grant second = job.claimed(SingletonUnderTest.BOB, nonceOf(SingletonUnderTest.BOB));
        assertThat(second.attempt()).isEqualTo(2);

        job.finish(SingletonUnderTest.BOB, second.fence(), job.success());
        assertThat(job.store.snapshot(JOB).due()).isEqualTo(due);
    }

    @Test
    void aPausedJobStaysPaused() {
        job.paused();

        assertThat(job.store.updateSpec(JOB, MINUTELY, job.now())).isInstanceOf(SpecUpdate.Updated.class);

        assertThat(job.state()).isEqualTo(SingletonState.PAUSED);
        assertThat(job.delayedTokens()).isEmpty();
    }

    @Test
    void jobsThatAreNotThereStayAway() {
        assertThat(job.store.updateSpec(JOB, MINUTELY, job.now())).isInstanceOf(SpecUpdate.Unchanged.class);
        assertThat(job.number("DBSIZE")).isZero();
        job.deleted();
        Map<String, Object> before = job.everything();
        assertThat(job.store.updateSpec(JOB, MINUTELY, job.now())).isInstanceOf(SpecUpdate.Unchanged.class);
        assertThat(job.everything()).isEqualTo(before);
    }

    @Test
    void t06_twoClientsThatAlternateSchedulesLeaveOneToken() throws Exception {
        job.delayed();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<SpecUpdate>> updates = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                SpecRevision spec = i % 2 == 0 ? YEARLY : MINUTELY;
                Instant due = job.now().plusSeconds(100 + i);
                updates.add(() -> job.store.updateSpec(JOB, spec, due));
            }
            for (Future<SpecUpdate> update : pool.invokeAll(updates)) {
                update.get();
            }
        }
        Map<String, String> record = job.record();
        assertThat(job.delayedTokens()).containsExactly(record.get("gen"), record.get("due"));
        assertThat(job.watch().verdict()).isEqualTo(WatchVerdict.OK);
    }
}
