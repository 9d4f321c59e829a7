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
import java.util.ArrayList;
import java.util.List;
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

    /** Enqueues all in as few calls as the store allows; never answers {@link Enqueue.Fenced}. */
    Acknowledged<List<Enqueue>> enqueue(List<NewTask> tasks) throws InterruptedException {
        var answer = answered(() -> enqueueAsMember(tasks));
        boolean head = false;
        for (var one : answer.answer()) {
            switch (one) {
                case Enqueue.Accepted accepted -> {
                    job.meters().enqueued(answer.enough() ? name(accepted.outcome()) : "unacknowledged");
                    head |= accepted.head();
                }
                case Enqueue.Refused _ -> job.meters().enqueued("refused");
                case Enqueue.Fenced() -> throw new IllegalStateException("fenced twice in a row");
            }
        }
        if (head) {
            mover.wake();
        }
        return answer;
    }

    private static String name(Enqueue.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
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

    private Acknowledged<List<Enqueue>> enqueueAsMember(List<NewTask> tasks) {
        var instance = membership.require();
        var durability = job.definition().policy().durability();
        var first = job.queue().enqueueAll(instance, tasks, durability);
        var fenced = new ArrayList<NewTask>();
        for (int i = 0; i < tasks.size(); i++) {
            if (first.answer().get(i) instanceof Enqueue.Fenced) {
                fenced.add(tasks.get(i));
            }
        }
        if (fenced.isEmpty()) {
            return first;
        }
        var second = job.queue().enqueueAll(membership.fenced(instance), fenced, durability);
        var again = second.answer().iterator();
        var all = first.answer().stream()
                .map(answer -> answer instanceof Enqueue.Fenced ? again.next() : answer)
                .toList();
        return new Acknowledged<>(all, first.enough() && second.enough());
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
