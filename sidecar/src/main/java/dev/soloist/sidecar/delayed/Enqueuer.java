package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.delayed.stream.ReplayRequest;
import dev.soloist.coordination.delayed.stream.Replayed;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.link.RedisUnavailable.Kind;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.sidecar.store.UntilAnswered;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes tasks for the app. A call whose answer was lost is sent again with its request key for a while, so that it counts once; a
 * fenced instance is replaced and the call repeated. Thread-safe.
 */
final class Enqueuer {

    private static final Duration KEEP_TRYING = Duration.ofSeconds(3);
    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(100), 1, Duration.ofMillis(100));

    private final DelayedJob job;
    private final Membership membership;
    private final Mover mover;

    Enqueuer(DelayedJob job, Membership membership, Mover mover) {
        this.job = job;
        this.membership = membership;
        this.mover = mover;
    }

    /** Enqueues; never answers {@link Enqueue.Fenced}. */
    Acknowledged<Enqueue> enqueue(NewTask task) throws InterruptedException {
        var answer = answered(() -> enqueueAsMember(task));
        switch (answer.answer()) {
            case Enqueue.Accepted(var outcome, var _, boolean head, var _, var _) -> {
                job.meters().enqueued(answer.enough() ? outcome.name().toLowerCase(Locale.ROOT) : "unacknowledged");
                if (head) {
                    mover.wake();
                }
            }
            case Enqueue.Refused _ -> job.meters().enqueued("refused");
            case Enqueue.Fenced() -> throw new IllegalStateException("fenced twice in a row");
        }
        return answer;
    }

    Rescheduling reschedule(TaskId id, When when) throws InterruptedException {
        var answer = answered(() -> job.queue().reschedule(id, when, membership.require()));
        if (answer instanceof Rescheduling.Rescheduled(var _, boolean head, var _) && head) {
            mover.wake();
        }
        return answer;
    }

    /** Has tasks handled again; empty unless the job keeps what was handled. */
    Optional<Replayed> replay(ReplayRequest request) throws InterruptedException {
        if (!(job.work().transport() instanceof Transport.Stream)) {
            return Optional.empty();
        }
        var answer = answered(() -> job.queue().stream().map(stream -> stream.replay(request)));
        answer.ifPresent(replayed -> job.meters().replayed(replayed.tasks()));
        return answer;
    }

    private Acknowledged<Enqueue> enqueueAsMember(NewTask task) {
        var instance = membership.require();
        var durability = job.definition().policy().durability();
        var answer = job.queue().enqueue(instance, task, durability);
        return answer.answer() instanceof Enqueue.Fenced
                ? job.queue().enqueue(membership.fenced(instance), task, durability)
                : answer;
    }

    private <T> T answered(Supplier<T> call) throws InterruptedException {
        long end = System.nanoTime() + KEEP_TRYING.toNanos();
        boolean sent = job.link().isConnected();
        return UntilAnswered.call(call, BETWEEN_TRIES, unanswered -> {
            boolean mayHelp = unanswered.kind() != Kind.FULL && unanswered.kind() != Kind.FORBIDDEN;
            return sent && mayHelp && System.nanoTime() - end <= 0;
        });
    }
}
