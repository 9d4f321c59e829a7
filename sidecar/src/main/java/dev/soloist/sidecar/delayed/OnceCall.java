package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.sidecar.store.UntilAnswered;
import dev.soloist.sidecar.trigger.AppCall;
import dev.soloist.sidecar.trigger.AppResponse;
import dev.soloist.sidecar.trigger.Verdict;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call to the app for a task that is handed out at most once: when somebody listens the task is removed, and only then is the call
 * sent. Where replicas have to acknowledge, they are asked before the removal, too: as long as they do not follow, the task stays
 * where it is. Who dies before the removal leaves the task to others, who dies after it has lost it; a removal that is not known to
 * be done and acknowledged when its time is over means that the app is not called, for a failover may bring the task back to others.
 * Used once; {@link #cutShort()} may come from any thread.
 */
final class OnceCall {

    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(50), 2, Duration.ofSeconds(2));

    private final DelayedQueue queue;
    private final Durability durability;
    private final ReservedTask task;
    private final AppCall call;
    private final Duration visibility;
    private long visibleAgain;
    private volatile boolean cut;
    private boolean removed;
    /** Why the call was not sent; null also where nobody listened. */
    private @Nullable Conclusion instead;

    /**
     * A call that is not begun yet.
     *
     * @param durability that a removal must have
     * @param visibility for which the task is hidden from others when it is asked for longer
     * @param visibleAgain the {@link System#nanoTime()} from which others could have the task
     */
    OnceCall(
            DelayedQueue queue,
            Durability durability,
            ReservedTask task,
            AppCall call,
            Duration visibility,
            long visibleAgain) {
        this.queue = queue;
        this.durability = durability;
        this.task = task;
        this.call = call;
        this.visibility = visibility;
        this.visibleAgain = visibleAgain;
    }

    /**
     * Removes the task and calls the app.
     *
     * @param onUnclear what to do when the app may still be at work although nobody waits for it
     */
    Conclusion execute(Runnable onUnclear) {
        var answer = call.execute(this::remove);
        if (!removed) {
            return instead == null ? notSeen(answer) : instead;
        }
        var verdict = Verdict.of(answer);
        if (verdict instanceof Verdict.Unclear) {
            onUnclear.run();
        }
        return over(verdict);
    }

    void cutShort() {
        cut = true;
        call.abort();
    }

    private boolean remove() {
        if (cut) {
            return false;
        }
        boolean followed = false;
        try {
            instead = durability instanceof Durability.Local() ? null : unlessFollowed();
            followed = instead == null;
            if (followed) {
                instead = unlessRemoved();
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            instead = followed
                    ? new Conclusion.Lost("the sidecar ended while it was being removed")
                    : new Conclusion.Nothing();
        }
        removed = instead == null;
        return removed;
    }

    /** Replicas that do not follow now will not acknowledge a removal either: then the task is still there to be given back. */
    private @Nullable Conclusion unlessFollowed() throws InterruptedException {
        try {
            long sent = System.nanoTime();
            var answer = UntilAnswered.call(
                    () -> queue.extend(task.held(), visibility, durability), BETWEEN_TRIES, this::isOurs);
            return switch (answer.answer()) {
                case Extension.Stale() -> new Conclusion.Nothing();
                case Extension.Extended(boolean withdrawn, var _)
                when withdrawn -> new Conclusion.Give(GiveBack.retry(task.held(), Duration.ZERO, "withdrawn"), false);
                case Extension.Extended _
                when answer.enough() -> {
                    visibleAgain = sent + visibility.toNanos();
                    yield null;
                }
                case Extension.Extended _ -> unseen(Conclusion.STAND_BACK, "too few replicas acknowledge", true);
            };
        } catch (RedisUnavailable unanswered) {
            return unseen(Duration.ZERO, "Redis did not answer", false);
        }
    }

    private @Nullable Conclusion unlessRemoved() throws InterruptedException {
        var gone = new AtomicBoolean();
        try {
            var answer = UntilAnswered.call(
                    () -> {
                        var said = queue.ack(task.held(), durability);
                        if (said.answer() != Ack.STALE && !said.enough()) {
                            gone.set(true);
                            throw RedisUnavailable.refused("too few replicas acknowledge");
                        }
                        return said.answer();
                    },
                    BETWEEN_TRIES,
                    this::isOurs);
            return answer == Ack.STALE ? new Conclusion.Nothing() : null;
        } catch (RedisUnavailable unanswered) {
            return new Conclusion.Lost(
                    gone.get()
                            ? "it was removed, and too few replicas acknowledged that"
                            : "whether it was removed was not answered");
        }
    }

    private boolean isOurs(RedisUnavailable unanswered) {
        return !cut && System.nanoTime() - visibleAgain <= 0;
    }

    private Conclusion notSeen(AppResponse answer) {
        boolean absent = answer instanceof AppResponse.Refused;
        return unseen(
                cut ? Duration.ZERO : Conclusion.STAND_BACK,
                absent ? "the app does not listen" : "the app was not reached",
                absent);
    }

    private Conclusion unseen(Duration wait, String why, boolean standBack) {
        return new Conclusion.Give(GiveBack.unseen(task.held(), wait, why), standBack);
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
