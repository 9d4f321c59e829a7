package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.singleton.FinishRequest;
import dev.soloist.coordination.singleton.Grant;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.sidecar.trigger.Verdict;
import dev.soloist.sidecar.trigger.Verdict.Retrying;
import java.time.Duration;
import java.time.Instant;

/** What is written about a run that ended, and how long this pod then stands back. Pure. */
sealed interface Settlement {

    /** The result counts; the next slot or attempt is in the request. */
    record Finish(FinishRequest request, String metric) implements Settlement {}

    /** Another pod may take the same slot at once; this one stands back for a while. */
    record GiveBack(Duration standBack) implements Settlement {}

    /** The run was cut short because this pod ends: another one does it, however late it is by then. */
    record Interrupted() implements Settlement {}

    /** The first wait of a pod whose app does not listen. */
    Duration APP_ABSENT = Duration.ofSeconds(1);

    static Settlement of(JobDefinition job, SingletonWork work, Grant grant, RunEnd end, Instant redisNow) {
        return new Settling(job, work, grant, redisNow).settle(end);
    }

    /** The values that every branch needs. */
    record Settling(JobDefinition job, SingletonWork work, Grant grant, Instant redisNow) {

        Settlement settle(RunEnd end) {
            return switch (end) {
                case RunEnd.Judged(Verdict.Done()) ->
                    new Finish(request(RunResult.SUCCEEDED, "", nextSlot(), false), "succeeded");
                case RunEnd.Judged(Verdict.Failed(String message, Retrying retrying)) ->
                    retrying == Retrying.ALLOWED
                            ? attemptEnded(RunResult.FAILED, message, "failed")
                            : new Finish(request(RunResult.FAILED, message, nextSlot(), false), "failed");
                case RunEnd.Judged(Verdict.Unclear(String message)) ->
                    attemptEnded(RunResult.FAILED, message, "failed");
                case RunEnd.Judged(Verdict.GivenBack(Duration retryAfter)) -> new GiveBack(retryAfter);
                case RunEnd.Judged(Verdict.AppAbsent()) -> new GiveBack(APP_ABSENT);
                case RunEnd.Skipped(int missed) -> new Finish(skipped(missed), "skipped");
                case RunEnd.Stopped(StopCause cause) -> stopped(cause);
            };
        }

        private Settlement stopped(StopCause cause) {
            return switch (cause) {
                case SHUTDOWN -> new Interrupted();
                case CANCEL_REQUESTED ->
                    new Finish(request(RunResult.ABORTED, "cancelled on request", nextSlot(), false), "aborted");
                case MAX_RUN_TIME ->
                    attemptEnded(
                            RunResult.TIMED_OUT,
                            "cancelled after the longest run time of "
                                    + job.policy().maxRunTime(),
                            "failed");
                case RECORD_LOST, LEASE_LOST, DEADLINE_PASSED ->
                    attemptEnded(RunResult.ABORTED, "the lease was lost (" + cause.lostLabel() + ")", "aborted");
            };
        }

        private Settlement attemptEnded(RunResult result, String message, String metric) {
            boolean again = grant.attempt() <= work.retry().limit();
            var next = again ? redisNow.plus(work.retry().backoff().delay(grant.attempt())) : nextSlot();
            return new Finish(request(result, message, next, again), metric);
        }

        private FinishRequest request(RunResult result, String message, Instant nextDue, boolean retry) {
            var policy = job.policy();
            return new FinishRequest(
                    result, message, nextDue, retry, policy.release(), policy.holdFor(), work.cooldown());
        }

        /** Holds nothing afterwards, and cools nothing down: no run has begun that others should be kept from repeating. */
        private FinishRequest skipped(int missed) {
            var message = "missed, as were " + missed + " later ones";
            return new FinishRequest(
                    RunResult.SKIPPED, message, nextSlot(), false, ReleasePolicy.ON_COMPLETION, Duration.ZERO);
        }

        private Instant nextSlot() {
            return work.schedule().next(grant.scheduledAt(), redisNow);
        }
    }
}
