package dev.soloist.sidecar.singleton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.sidecar.testkit.Jobs;
import dev.soloist.sidecar.trigger.Verdict;
import dev.soloist.sidecar.trigger.Verdict.Retrying;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SettlementTest {

    private static final Instant SLOT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = SLOT.plusSeconds(75);
    private static final Instant NEXT_SLOT = SLOT.plusSeconds(120);
    private static final Retry TWICE = new Retry(2, new Backoff(Duration.ofSeconds(5), 2, Duration.ofMinutes(5)));
    private static final JobDefinition JOB =
            Jobs.singleton("report", 80, Duration.ofMinutes(1), Jobs.policy(Duration.ofSeconds(30)), TWICE);

    @Test
    void aSuccessWaitsForTheFirstSlotThatIsNotMissed() {
        var finish = finish(1, new RunEnd.Judged(new Verdict.Done()));

        assertThat(finish.request().result()).isEqualTo(RunResult.SUCCEEDED);
        assertThat(finish.request().nextDue()).isEqualTo(NEXT_SLOT);
        assertThat(finish.request().retry()).isFalse();
    }

    @Test
    void aFailureIsTriedAgainUntilTheLimitWithGrowingWaits() {
        var failed = new RunEnd.Judged(new Verdict.Failed("HTTP 500", Retrying.ALLOWED));

        assertThat(finish(1, failed).request().nextDue()).isEqualTo(NOW.plusSeconds(5));
        assertThat(finish(2, failed).request().nextDue()).isEqualTo(NOW.plusSeconds(10));
        assertThat(finish(2, failed).request().retry()).isTrue();
        assertThat(finish(3, failed).request().nextDue()).isEqualTo(NEXT_SLOT);
        assertThat(finish(3, failed).request().retry()).isFalse();
    }

    @Test
    void anAppThatForbidsItIsNotAskedAgain() {
        var finish = finish(1, new RunEnd.Judged(new Verdict.Failed("HTTP 400", Retrying.FORBIDDEN)));

        assertThat(finish.request().nextDue()).isEqualTo(NEXT_SLOT);
        assertThat(finish.request().retry()).isFalse();
    }

    @Test
    void busyAbsentAndEndingPodsLeaveTheSlotToOthers() {
        assertThat(settle(1, new RunEnd.Judged(new Verdict.GivenBack(Duration.ofSeconds(7)))))
                .isEqualTo(new Settlement.GiveBack(Duration.ofSeconds(7)));
        assertThat(settle(1, new RunEnd.Judged(new Verdict.AppAbsent()))).isInstanceOf(Settlement.GiveBack.class);
        assertThat(settle(1, new RunEnd.Stopped(StopCause.SHUTDOWN))).isEqualTo(new Settlement.Interrupted());
    }

    @Test
    void aLostLeaseAndAnEndlessRunAreSettledAsSuch() {
        assertThat(finish(1, new RunEnd.Stopped(StopCause.DEADLINE_PASSED))
                        .request()
                        .result())
                .isEqualTo(RunResult.ABORTED);
        assertThat(finish(1, new RunEnd.Stopped(StopCause.MAX_RUN_TIME))
                        .request()
                        .result())
                .isEqualTo(RunResult.TIMED_OUT);
        assertThat(finish(1, new RunEnd.Stopped(StopCause.CANCEL_REQUESTED))
                        .request()
                        .retry())
                .isFalse();
    }

    private static Settlement.Finish finish(int attempt, RunEnd end) {
        return (Settlement.Finish) settle(attempt, end);
    }

    private static Settlement settle(int attempt, RunEnd end) {
        var grant = new Grant(1, new Fence(1, 1), Duration.ofSeconds(30), attempt, SLOT, SLOT, false, false);
        return Settlement.of(JOB, (SingletonWork) JOB.work(), grant, end, NOW);
    }
}
