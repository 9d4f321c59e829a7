package dev.soloist.sidecar.delayed;

import static dev.soloist.coordination.job.Delivery.AT_MOST_ONCE;

import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.store.UntilAnswered;
import dev.soloist.sidecar.trigger.App;
import dev.soloist.sidecar.trigger.AppResponse;
import dev.soloist.sidecar.trigger.Verdict;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One task in the app's hands: sends it, keeps it hidden from others while it takes longer than half the visibility, and stops it
 * when it was withdrawn. Used once; {@link #cutShort()} may come from any thread.
 */
final class Delivery {

    private static final Duration CANCEL_WITHIN = Duration.ofSeconds(2);
    private static final Duration AFTER_FAILED_EXTENSION = Duration.ofSeconds(1);
    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(50), 2, Duration.ofSeconds(2));

    private final DelayedJob job;
    private final App app;
    private final ReservedTask task;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final long begun = System.nanoTime();
    private final Duration visibility;
    private long visibleAgain;
    private @Nullable AppResponse response;
    private boolean cut;
    private @Nullable OnceCall once;

    /**
     * A task just reserved.
     *
     * @param visibility as it was asked for; a definition that changes meanwhile must not shorten it, or the task comes back while
     *     the app is at work
     * @param sent the {@link System#nanoTime()} from which it counts
     */
    Delivery(DelayedJob job, App app, ReservedTask task, Duration visibility, long sent) {
        this.job = job;
        this.app = app;
        this.task = task;
        this.visibility = visibility;
        this.visibleAgain = sent + visibility.toNanos();
    }

    Held held() {
        return task.held();
    }

    /** What it keeps in memory. */
    int bytes() {
        return task.payload().bytes().length;
    }

    Duration took() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** The sidecar ends: stop the app's work and give the task back, the attempt not counted. */
    void cutShort() {
        lock.lock();
        try {
            cut = true;
            if (once != null) {
                once.cutShort();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Conclusion execute() throws InterruptedException {
        if (System.nanoTime() - visibleAgain >= 0) {
            // Frozen between reservation and here: others may have it by now.
            return new Conclusion.Give(
                    GiveBack.unseen(held(), Duration.ZERO, "the sidecar was stopped for too long"), false);
        }
        var trigger = job.definition().trigger();
        var call = app.start(trigger, headers(trigger.timeout()), task.payload(), trigger.timeout());
        if (job.work().delivery() == AT_MOST_ONCE) {
            return once(new OnceCall(
                            job.queue(), job.definition().policy().durability(), task, call, visibility, visibleAgain))
                    .execute(this::cancel);
        }
        Thread.ofVirtual().start(() -> answered(call.execute()));
        try {
            return await();
        } finally {
            call.abort();
        }
    }

    /** Nothing is begun for one that is cut already. */
    private OnceCall once(OnceCall made) {
        lock.lock();
        try {
            once = made;
            if (cut) {
                made.cutShort();
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    private Map<String, String> headers(Duration timeout) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Soloist-Job", job.name());
        headers.put("Soloist-Task", HeaderText.encode(task.id().bytes()));
        headers.put("Soloist-Attempt", Integer.toString(task.attempt()));
        headers.put("Soloist-Scheduled-At", Rfc3339.write(task.dueAt()));
        headers.put("Soloist-Deadline", Rfc3339.write(job.link().clock().now().plus(timeout)));
        return headers;
    }

    private void answered(AppResponse answer) {
        lock.lock();
        try {
            response = answer;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Conclusion await() throws InterruptedException {
        long half = visibility.toNanos() / 2;
        long extendAt = visibleAgain - half;
        while (true) {
            var answer = awaitUntil(extendAt);
            if (answer != null) {
                var verdict = Verdict.of(answer);
                if (verdict instanceof Verdict.Unclear) {
                    cancel();
                }
                return Conclusion.of(task, job.work(), verdict);
            }
            if (isCut()) {
                cancel();
                return new Conclusion.Give(GiveBack.free(held(), Duration.ZERO, "the sidecar ended"), false);
            }
            long sent = System.nanoTime();
            switch (extend()) {
                case EXTENDED -> {
                    visibleAgain = sent + half * 2;
                    extendAt = sent + half;
                }
                case UNANSWERED -> extendAt = sent + AFTER_FAILED_EXTENSION.toNanos();
                case WITHDRAWN -> {
                    cancel();
                    return new Conclusion.Give(GiveBack.retry(held(), Duration.ZERO, "withdrawn"), false);
                }
                case STALE -> {
                    cancel();
                    return new Conclusion.Nothing();
                }
            }
        }
    }

    private enum Extended {
        EXTENDED,
        WITHDRAWN,
        STALE,
        UNANSWERED
    }

    private Extended extend() {
        try {
            return switch (job.queue().extend(held(), visibility)) {
                case Extension.Extended(boolean withdrawn, var _) -> withdrawn ? Extended.WITHDRAWN : Extended.EXTENDED;
                case Extension.Stale() -> Extended.STALE;
            };
        } catch (RedisUnavailable unanswered) {
            // The app goes on: a late acknowledgement still counts as long as nobody has taken the task back.
            return Extended.UNANSWERED;
        }
    }

    private @Nullable AppResponse awaitUntil(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (response == null && !cut) {
                long left = nanos - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                var _ = changed.awaitNanos(left);
            }
            return response;
        } finally {
            lock.unlock();
        }
    }

    private boolean isCut() {
        lock.lock();
        try {
            return cut;
        } finally {
            lock.unlock();
        }
    }

    private void cancel() {
        app.cancel(job.definition().trigger(), "task", task.id().text(), CANCEL_WITHIN);
    }

    /** Tells Redis, trying on until others could have the task anyway. */
    void giveBack(Membership membership, GiveBack back) throws InterruptedException {
        String label;
        try {
            var answer = UntilAnswered.call(
                    () -> job.queue()
                            .giveBack(membership.require(), back, job.work().mostReservations()),
                    BETWEEN_TRIES,
                    _ -> System.nanoTime() - visibleAgain <= 0);
            label = label(back, answer);
        } catch (RedisUnavailable unanswered) {
            label = "stale";
        }
        job.meters().delivered(label, took());
    }

    private static String label(GiveBack back, GivenBack answer) {
        return switch (answer) {
            case DEAD -> "dead";
            case CANCELLED -> "cancelled";
            case STALE -> "stale";
            case DELAYED, READY, REPEATED -> back.counts() ? "retried" : "givenBack";
        };
    }
}
