package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.sidecar.trigger.Verdict;
import dev.soloist.sidecar.trigger.Verdict.Retrying;
import java.time.Duration;

/** What is to be told to Redis about a delivery that ended. Pure. */
sealed interface Conclusion {

    /** Handled. */
    record Acknowledge() implements Conclusion {}

    /**
     * Not handled.
     *
     * @param standBack whether the next task would fare no better now
     */
    record Give(GiveBack back, boolean standBack) implements Conclusion {}

    /**
     * The task was removed before the app saw it.
     *
     * @param failure why the app did not handle it, empty if it did
     */
    record Removed(String failure) implements Conclusion {}

    /**
     * The task was removed, or may have been, and the app is not called: by what Redis knows nobody will have it.
     *
     * @param why it is so
     */
    record Lost(String why) implements Conclusion {}

    /** The task is not ours any more. */
    record Nothing() implements Conclusion {}

    /** Waits for an app that does not listen, or for replicas that do not follow. */
    Duration STAND_BACK = Duration.ofSeconds(1);

    /** Judges what the app said. */
    static Conclusion of(ReservedTask task, DelayedWork work, Verdict verdict) {
        var held = task.held();
        var later = work.backoff().jittered(task.attempt());
        return switch (verdict) {
            case Verdict.Done() -> new Acknowledge();
            case Verdict.Failed(String message, Retrying retrying) ->
                retrying == Retrying.ALLOWED
                        ? new Give(GiveBack.retry(held, later, message), false)
                        : new Give(GiveBack.dead(held, message), false);
            case Verdict.GivenBack(Duration retryAfter) ->
                new Give(GiveBack.free(held, retryAfter, "the app asked to wait"), false);
            case Verdict.AppAbsent() -> new Give(GiveBack.unseen(held, STAND_BACK, "the app does not listen"), true);
            case Verdict.Unclear(String message) -> new Give(GiveBack.retry(held, later, message), false);
        };
    }
}
