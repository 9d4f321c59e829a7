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
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.sidecar.store.UntilAnswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes tasks for the app. A call whose answer was lost is sent again with its request key for a while, so that it counts once; a
 * fenced instance is replaced and the call repeated. Thread-safe.
 */
final class Enqueuer {

    private static final Duration KEEP_TRYING = Duration.ofSeconds(3);
    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(100), 1, Duration.ofMillis(100));

    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable KnownDuplicates duplicates;
    private @Nullable InstanceId learnedAs;

    private final DelayedJob job;
    private final Shards shards;

    Enqueuer(DelayedJob job, Shards shards) {
        this.job = job;
        this.shards = shards;
    }

    /**
     * Enqueues all in as few calls as the store and the shards allow, and in none if it is known what it would say; never
     * answers {@link Enqueue.Fenced}, and {@link Enqueue.Unanswered} only beside other answers.
     */
    Acknowledged<List<Enqueue>> enqueue(List<NewTask> tasks) throws InterruptedException {
        var cache = cache();
        if (cache == null) {
            return send(tasks);
        }
        var known = tasks.stream().map(cache::answer).toList();
        var unknown = new ArrayList<NewTask>();
        for (int i = 0; i < tasks.size(); i++) {
            if (known.get(i).isEmpty()) {
                unknown.add(tasks.get(i));
            } else {
                job.meters().enqueued(name(Enqueue.Outcome.DUPLICATE));
                job.meters().duplicateKnown("cache");
            }
        }
        long sent = System.nanoTime();
        var said = unknown.isEmpty() ? Acknowledged.of(List.<Enqueue>of()) : send(unknown);
        if (said.enough()) {
            for (int i = 0; i < unknown.size(); i++) {
                cache.learn(unknown.get(i), said.answer().get(i), Duration.ofNanos(System.nanoTime() - sent));
            }
        }
        var rest = said.answer().iterator();
        var all = known.stream()
                .map(answer -> answer.<Enqueue>map(one -> one).orElseGet(rest::next))
                .toList();
        return new Acknowledged<>(all, said.enough());
    }

    /** Made when the job first wants it: most jobs do not, and its classes take memory. */
    private @Nullable KnownDuplicates cache() {
        var rule = job.work().deduplication();
        if (rule == null || !rule.localCache()) {
            return null;
        }
        making.lock();
        try {
            var present = duplicates == null ? new KnownDuplicates() : duplicates;
            duplicates = present;
            // Another name: the former one was fenced, or lost together with all that Redis knew.
            // Keys are known in one shard only, the first.
            var instance = shards.worker(0).membership().current().orElse(null);
            if (!Objects.equals(instance, learnedAs)) {
                present.forget();
                learnedAs = instance;
            }
            return present;
        } finally {
            making.unlock();
        }
    }

    /** The store may not be what it was: its data may be lost. */
    void forgetDuplicates() {
        var present = duplicates;
        if (present != null) {
            present.forget();
        }
    }

    private Acknowledged<List<Enqueue>> send(List<NewTask> tasks) throws InterruptedException {
        var answer = untilAnswered(tasks);
        for (int i = 0; i < tasks.size(); i++) {
            switch (answer.answer().get(i)) {
                case Enqueue.Accepted accepted -> {
                    job.meters().enqueued(answer.enough() ? name(accepted.outcome()) : "unacknowledged");
                    if (accepted.taken() != null) {
                        job.meters().duplicateKnown("store");
                    }
                    if (accepted.head()) {
                        wakeMovers(tasks.get(i).id());
                    }
                }
                case Enqueue.Refused _ -> job.meters().enqueued("refused");
                case Enqueue.Unanswered _ -> job.meters().enqueued("unanswered");
                case Enqueue.Fenced() -> throw new IllegalStateException("a fenced name was not replaced");
            }
        }
        return answer;
    }

    private Acknowledged<List<Enqueue>> untilAnswered(List<NewTask> tasks) throws InterruptedException {
        var submission = new Submission(shards, tasks, job.definition().policy().durability());
        try {
            return answered(() -> {
                submission.send();
                return submission.answered();
            });
        } catch (RedisUnavailable away) {
            return submission.given(away);
        }
    }

    private static String name(Enqueue.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    Rescheduling reschedule(TaskId id, When when) throws InterruptedException {
        var answer = answered(() -> {
            var route = shards.route();
            return route.placing().reschedule(id, when, new Caller(shards, route));
        });
        if (answer instanceof Rescheduling.Rescheduled(var _, boolean head, var _) && head) {
            wakeMovers(id);
        }
        return answer;
    }

    /** Has tasks handled again, by a name that may act on the layout as it is. */
    Replaying replay(ReplayRequest request) throws InterruptedException {
        if (!(job.work().transport() instanceof Transport.Stream)) {
            return new Replaying.NoHistory();
        }
        var answer = answered(() -> replayAsMember(request));
        if (answer instanceof Replaying.Done(var replayed)) {
            job.meters().replayed(replayed.tasks());
        }
        return answer;
    }

    private Replaying replayAsMember(ReplayRequest request) {
        for (int tried = 0; tried < Submission.TRIES; tried++) {
            var route = shards.route().layout().isSingle() ? shards.route() : shards.refresh();
            if (!route.layout().isSingle()) {
                return new Replaying.Spread(route.layout().active());
            }
            var caller = new Caller(shards, route);
            var stream = route.whole().stream();
            if (stream.isEmpty()) {
                return new Replaying.NoHistory();
            }
            if (stream.get().replay(caller.in(0), request) instanceof Replayed replayed) {
                return new Replaying.Done(replayed);
            }
            caller.fenced(List.of(0));
        }
        throw new IllegalStateException("fenced several times in a row");
    }

    private void wakeMovers(TaskId id) {
        shards.route().layout().homes(id).forEach(home -> shards.worker(home).wakeMover());
    }

    private <T> T answered(Supplier<T> call) throws InterruptedException {
        long end = System.nanoTime() + KEEP_TRYING.toNanos();
        boolean sent = job.link().isConnected();
        return UntilAnswered.call(call, BETWEEN_TRIES, unanswered -> {
            return sent && Submission.mayPass(unanswered) && System.nanoTime() - end <= 0;
        });
    }
}
