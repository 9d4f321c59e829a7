package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.RedisUnavailable.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks on their way to the store. What is answered is not sent again; what is answered as fenced is sent by another name, and
 * perhaps another layout; what is not answered, because its shard is away, waits for the next call. For one thread.
 */
final class Submission {

    /** Fenced this often in a row, something is wrong. */
    static final int TRIES = 5;

    private final Shards shards;
    private final List<NewTask> tasks;
    private final Durability durability;
    private final List<Enqueue> answers;
    private boolean enough = true;

    Submission(Shards shards, List<NewTask> tasks, Durability durability) {
        this.shards = shards;
        this.tasks = tasks;
        this.durability = durability;
        var notSent = new Enqueue.Unanswered(RedisUnavailable.refused("not sent yet"));
        this.answers = new ArrayList<>(Collections.nCopies(tasks.size(), notSent));
    }

    /**
     * Sends what is open.
     *
     * @throws RedisUnavailable if anything is unanswered after that
     * @throws IllegalStateException if a name is refused again and again
     */
    void send() {
        var open = places(answer -> answer instanceof Enqueue.Unanswered || answer instanceof Enqueue.Fenced);
        for (int tried = 0; tried < TRIES && !open.isEmpty(); tried++) {
            send(open);
            open = places(Enqueue.Fenced.class::isInstance);
        }
        if (!open.isEmpty()) {
            throw new IllegalStateException("fenced several times in a row");
        }
        @Nullable RedisUnavailable away = null;
        for (var answer : answers) {
            if (answer instanceof Enqueue.Unanswered(var why) && (away == null || mayPass(why))) {
                away = why;
            }
        }
        if (away != null) {
            throw away;
        }
    }

    private void send(List<Integer> open) {
        try {
            var route = shards.route();
            var caller = new Caller(shards, route);
            var told = route.placing()
                    .enqueueAll(caller, open.stream().map(tasks::get).toList(), durability);
            enough &= told.enough();
            for (int i = 0; i < open.size(); i++) {
                answers.set(open.get(i), told.answer().get(i));
            }
            for (int place : open) {
                if (answers.get(place) instanceof Enqueue.Fenced) {
                    renew(caller, route, place);
                }
            }
        } catch (RedisUnavailable away) {
            open.forEach(place -> answers.set(place, new Enqueue.Unanswered(away)));
        }
    }

    /** That no new name is to be had in one shard takes nothing back of what others have answered. */
    private void renew(Caller caller, Route route, int place) {
        try {
            caller.fenced(route.layout().homes(tasks.get(place).id()));
        } catch (RedisUnavailable away) {
            answers.set(place, new Enqueue.Unanswered(away));
        }
    }

    /** Whether a repeat may be answered otherwise soon. */
    static boolean mayPass(RedisUnavailable away) {
        return away.kind() != Kind.FULL && away.kind() != Kind.FORBIDDEN;
    }

    private List<Integer> places(Predicate<Enqueue> wanted) {
        return IntStream.range(0, tasks.size())
                .filter(i -> wanted.test(answers.get(i)))
                .boxed()
                .toList();
    }

    /** What is known when no more is sent; throws the failure that ended it if that is nothing. */
    Acknowledged<List<Enqueue>> given(RedisUnavailable end) {
        if (answers.stream().allMatch(Enqueue.Unanswered.class::isInstance)) {
            throw end;
        }
        return answered();
    }

    /** The answers, one for each task. */
    Acknowledged<List<Enqueue>> answered() {
        return new Acknowledged<>(List.copyOf(answers), enough);
    }
}
