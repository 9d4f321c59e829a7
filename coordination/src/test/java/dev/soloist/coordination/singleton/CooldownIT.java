package dev.soloist.coordination.singleton;

import static dev.soloist.coordination.singleton.SingletonUnderTest.ALICE;
import static dev.soloist.coordination.singleton.SingletonUnderTest.BOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.JOB;
import static dev.soloist.coordination.singleton.SingletonUnderTest.nonceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.testkit.ServerUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The least time from the end of a run to the start of the next, whatever asks for it. */
class CooldownIT {

    private static final Duration COOLDOWN = Duration.ofMinutes(5);
    private static final SpecRevision OTHER = new SpecRevision("2", "every 1s");

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

    /** The end of the cooldown is the end of the run plus its length, to the moment the step took. */
    private void assertCool(Instant end) {
        assertThat(job.store.snapshot(JOB).notBefore()).isCloseTo(end.plus(COOLDOWN), within(30, ChronoUnit.SECONDS));
        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.NotDue.class);
    }

    private void finish(Grant grant, RunResult result, boolean retry, ReleasePolicy release, Duration cooldown) {
        var request = new FinishRequest(result, "", job.now(), retry, release, Duration.ZERO, cooldown);
        assertThat(job.finish(ALICE, grant.fence(), request)).isInstanceOf(Finishing.Finished.class);
    }

    private WatchRequest watchRequest(int misses) {
        var soon = new Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));
        return new WatchRequest(Duration.ZERO, AbandonPolicy.RETRY, job.now(), soon, misses, COOLDOWN);
    }

    @ParameterizedTest
    @EnumSource(ReleasePolicy.class)
    void aSlotThatIsDueWaitsForItsEnd(ReleasePolicy release) {
        finish(job.running(), RunResult.SUCCEEDED, false, release, COOLDOWN);

        assertCool(job.now());
    }

    @Test
    void aRetryWaitsForItsEnd() {
        finish(job.running(), RunResult.FAILED, true, ReleasePolicy.ON_COMPLETION, COOLDOWN);

        assertCool(job.now());
    }

    @Test
    void aRunAskedForByHandIsRefusedUntilItsEnd() {
        finish(job.running(), RunResult.SUCCEEDED, false, ReleasePolicy.ON_COMPLETION, COOLDOWN);

        assertThat(job.store.triggerNow(JOB, false))
                .isEqualTo(new TriggerNow.Refused(
                        TriggerNow.Reason.NOT_BEFORE, job.store.snapshot(JOB).notBefore()));
        assertCool(job.now());
    }

    @Test
    void aRunAskedForDuringARunWaitsForItsEnd() {
        Grant grant = job.running();
        assertThat(job.store.triggerNow(JOB, false)).isInstanceOf(TriggerNow.AfterRun.class);

        finish(grant, RunResult.SUCCEEDED, false, ReleasePolicy.HOLD_UNTIL_NEXT_RUN, COOLDOWN);

        assertCool(job.now());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEarlierScheduleAndASuspensionDoNotEndIt(boolean suspend) {
        finish(job.running(), RunResult.SUCCEEDED, false, ReleasePolicy.HOLD_UNTIL_NEXT_RUN, COOLDOWN);
        Instant end = job.now();

        if (suspend) {
            job.store.suspend(JOB);
        }
        job.store.updateSpec(JOB, OTHER, job.now());
        job.store.resume(JOB, job.now());

        assertCool(end);
        assertThat(job.store.watch(JOB, watchRequest(1)).verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void aSlotThatIsPassedOverLeavesItAsItIs() {
        finish(job.running(), RunResult.SUCCEEDED, false, ReleasePolicy.ON_COMPLETION, Duration.ofMillis(300));
        Awaitility.await().until(() -> job.claim(ALICE, nonceOf(BOB)) instanceof Claim.Claimed);
        var skipped = new FinishRequest(
                RunResult.SKIPPED, "", job.now(), false, ReleasePolicy.ON_COMPLETION, Duration.ZERO, Duration.ZERO);
        Fence fence = job.store.snapshot(JOB).current().fence();

        job.store.finish(JOB, ALICE, nonceOf(BOB), fence, skipped);

        assertThat(job.claim(BOB, nonceOf(ALICE))).isInstanceOf(Claim.Spent.class);
        assertThat(job.claim(BOB, new Nonce("third"))).isInstanceOf(Claim.Claimed.class);
    }

    /** The run of a silent holder has ended with its lease, whenever a watchdog notices. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void afterASilentHolderItCountsFromTheEndOfTheLease(int missesAllowed) {
        job.running();
        job.lapse();
        Instant leaseEnd = job.now();

        assertThat(job.store.watch(JOB, watchRequest(missesAllowed))).isInstanceOf(Watch.Abandoned.class);

        assertCool(leaseEnd);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void afterADeadHolderItCountsFromTheProofOfDeath(int missesAllowed) {
        Grant grant = job.running();

        assertThat(job.store.reclaim(JOB, ALICE, grant.fence(), watchRequest(missesAllowed)))
                .isEqualTo(new Reclaim.Reclaimed(SingletonState.DELAYED));

        assertCool(job.now());
        assertThat(job.store.watch(JOB, watchRequest(missesAllowed)).verdict()).isEqualTo(WatchVerdict.OK);
    }

    @Test
    void aLeaseThatIsGivenBackCoolsNothingDown() {
        job.running();

        job.store.release(JOB, ALICE, nonceOf(ALICE));

        assertThat(job.claim(BOB, nonceOf(BOB))).isInstanceOf(Claim.Claimed.class);
    }
}
