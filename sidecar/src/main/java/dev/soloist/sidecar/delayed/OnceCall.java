package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.sidecar.store.UntilAnswered;
import dev.soloist.sidecar.trigger.AppCall;
import dev.soloist.sidecar.trigger.AppResponse;
import dev.soloist.sidecar.trigger.Verdict;
import java.time.Duration;

/**
 * A call to the app for a task that is handed out at most once: when somebody listens the task is removed, and only then is the call
 * sent. Who dies before the removal leaves the task to others, who dies after it has lost it; an answer to the removal that cannot be
 * had means that the app is not called. Used once; {@link #cutShort()} may come from any thread.
 */
final class OnceCall {

    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(50), 2, Duration.ofSeconds(2));

    private enum Removal {
        NOT_TRIED,
        REMOVED,
        NOT_OURS
    }

    private final DelayedJob job;
    private final ReservedTask task;
    private final AppCall call;
    private final long visibleAgain;
    private volatile boolean cut;
    private Removal removal = Removal.NOT_TRIED;

    /** @param visibleAgain the {@link System#nanoTime()} from which others could have the task */
    OnceCall(DelayedJob job, ReservedTask task, AppCall call, long visibleAgain) {
        this.job = job;
        this.task = task;
        this.call = call;
        this.visibleAgain = visibleAgain;
    }

    /**
     * Removes the task and calls the app.
     *
     * @param onUnclear what to do when the app may still be at work although nobody waits for it
     */
    Conclusion execute(Runnable onUnclear) {
        var answer = call.execute(this::remove);
        return switch (removal) {
            case NOT_TRIED -> notSeen(answer);
            case NOT_OURS -> new Conclusion.Nothing();
            case REMOVED -> {
                var verdict = Verdict.of(answer);
                if (verdict instanceof Verdict.Unclear) {
                    onUnclear.run();
                }
                yield over(verdict);
            }
        };
    }

    void cutShort() {
        cut = true;
        call.abort();
    }

    private boolean remove() {
        if (cut) {
            return false;
        }
        removal = removed() ? Removal.REMOVED : Removal.NOT_OURS;
        return removal == Removal.REMOVED;
    }

    private boolean removed() {
        var durability = job.definition().policy().durability();
        try {
            var answer = UntilAnswered.call(
                    () -> job.queue().ack(task.held(), durability),
                    BETWEEN_TRIES,
                    _ -> !cut && System.nanoTime() - visibleAgain <= 0);
            return answer.answer() != Ack.STALE && answer.enough();
        } catch (RedisUnavailable unanswered) {
            return false;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Conclusion notSeen(AppResponse answer) {
        boolean absent = answer instanceof AppResponse.Refused;
        var wait = cut ? Duration.ZERO : Conclusion.APP_ABSENT;
        var why = absent ? "the app does not listen" : "the app was not reached";
        return new Conclusion.Give(GiveBack.free(task.held(), wait, why), absent);
    }

    private static Conclusion over(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done() -> new Conclusion.Removed("");
            case Verdict.Failed(String message, var _) -> new Conclusion.Removed(message);
            case Verdict.GivenBack(var _) -> new Conclusion.Removed("the app asked to wait");
            case Verdict.AppAbsent() -> new Conclusion.Removed("the app does not listen");
            case Verdict.Unclear(String message) -> new Conclusion.Removed(message);
        };
    }
}
