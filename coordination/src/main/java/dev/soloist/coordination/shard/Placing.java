package dev.soloist.coordination.shard;

import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Discard;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Requeue;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisUnavailable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What concerns one task, of which only the id is known: asked of its home, and of where it may have been put before. Nobody
 * records an id in a former home any more, so an id that was not there when it was asked for does not come there later.
 * Thread-safe.
 */
public final class Placing {

    private final Layout layout;
    private final List<Shard> shards;

    /**
     * By a layout that is open.
     *
     * @param shards the first so many as are {@link Layout#active()}
     */
    public Placing(Layout layout, List<Shard> shards) {
        this.layout = layout;
        this.shards = List.copyOf(shards);
    }

    /**
     * As {@link DelayedQueue#enqueue}. In a former home it is merged with the task that lives there, or known as ended; only
     * in its home it is recorded.
     */
    public Acknowledged<Enqueue> enqueue(Members caller, NewTask task, Durability durability) {
        for (int former : layout.formerHomes(task.id())) {
            var answer = shards.get(former).merging().enqueue(caller.in(former), task, durability);
            if (!isUnknownThere(answer.answer())) {
                return answer;
            }
        }
        int home = layout.home(task.id());
        return shards.get(home).queue().enqueue(caller.in(home), task, durability);
    }

    /**
     * As {@link DelayedQueue#enqueueAll}: all shards at once, and in each of them all that concerns it in one call; what is not
     * known in a former home is asked of the next one then. Some may be answered {@link Enqueue.Fenced}, or {@link
     * Enqueue.Unanswered} because their shard is away, and others not.
     *
     * @param caller asked by several threads
     */
    public Acknowledged<List<Enqueue>> enqueueAll(Members caller, List<NewTask> tasks, Durability durability) {
        DelayedQueue.checkBatch(tasks);
        var answers = new HashMap<Integer, Enqueue>();
        boolean enough = true;
        for (int asked = 0; answers.size() < tasks.size(); asked++) {
            var groups = groups(tasks, answers.keySet(), asked);
            var told = AtOnce.each(List.copyOf(groups.entrySet()), group -> ask(group, caller, tasks, durability));
            for (var part : told) {
                enough &= part.enough();
                answers.putAll(part.answer());
            }
        }
        throwIfAllAreUnanswered(answers.values());
        return new Acknowledged<>(
                IntStream.range(0, tasks.size())
                        .mapToObj(i -> Objects.requireNonNull(answers.get(i)))
                        .toList(),
                enough);
    }

    /** The answers that count, by their places. Whoever may live in a shard that is away must not be recorded in another. */
    private static Acknowledged<Map<Integer, Enqueue>> ask(
            Map.Entry<Place, List<Integer>> group, Members caller, List<NewTask> tasks, Durability durability) {
        var place = group.getKey();
        var answers = new HashMap<Integer, Enqueue>();
        try {
            var told = place.queue()
                    .enqueueAll(
                            caller.in(place.shard()),
                            group.getValue().stream().map(tasks::get).toList(),
                            durability);
            for (int i = 0; i < group.getValue().size(); i++) {
                var answer = told.answer().get(i);
                if (place.home() || !isUnknownThere(answer)) {
                    answers.put(group.getValue().get(i), answer);
                }
            }
            return new Acknowledged<>(answers, told.enough());
        } catch (RedisUnavailable away) {
            group.getValue().forEach(i -> answers.put(i, new Enqueue.Unanswered(away)));
            return Acknowledged.of(answers);
        }
    }

    private static void throwIfAllAreUnanswered(Collection<Enqueue> answers) {
        @Nullable RedisUnavailable away = null;
        for (var answer : answers) {
            if (!(answer instanceof Enqueue.Unanswered(var why))) {
                return;
            }
            away = why;
        }
        if (away != null) {
            throw away;
        }
    }

    private record Place(int shard, boolean home, DelayedQueue queue) {}

    /** Which tasks are to be asked for where, when each was asked for in so many of its former homes. */
    private Map<Place, List<Integer>> groups(List<NewTask> tasks, Set<Integer> answered, int asked) {
        var groups = new LinkedHashMap<Place, List<Integer>>();
        for (int i = 0; i < tasks.size(); i++) {
            if (!answered.contains(i)) {
                var id = tasks.get(i).id();
                var former = layout.formerHomes(id);
                int shard = asked < former.size() ? former.get(asked) : layout.home(id);
                boolean home = asked >= former.size();
                var queue = home ? shards.get(shard).queue() : shards.get(shard).merging();
                groups.computeIfAbsent(new Place(shard, home, queue), _ -> new ArrayList<>())
                        .add(i);
            }
        }
        return groups;
    }

    /** TOO_LARGE may also be said of an id that is known: it is refused at home then, too, for the task is as large there. */
    private static boolean isUnknownThere(Enqueue answer) {
        return answer instanceof Enqueue.Refused(var reason)
                && (reason == Enqueue.Reason.FULL || reason == Enqueue.Reason.TOO_LARGE);
    }

    /** As {@link DelayedQueue#reschedule}. */
    public Rescheduling reschedule(TaskId id, When when, Members caller) {
        Rescheduling answer = new Rescheduling.NotFound();
        for (int home : layout.homes(id)) {
            answer = shards.get(home).queue().reschedule(id, when, caller.in(home));
            if (!(answer instanceof Rescheduling.NotFound)) {
                return answer;
            }
        }
        return answer;
    }

    /** As {@link DelayedQueue#cancel}. */
    public Cancellation cancel(TaskId id) {
        return whereItLives(id).queue().cancel(id);
    }

    /** What is remembered of a former life, in one shard, must not hide the task that lives in another. */
    private Shard whereItLives(TaskId id) {
        var homes = layout.homes(id);
        int known = homes.getFirst();
        if (homes.size() > 1) {
            for (int home : homes.reversed()) {
                var view = shards.get(home).queue().inspect(id);
                if (view.isPresent()) {
                    known = home;
                    if (!hasEnded(view.get().state())) {
                        break;
                    }
                }
            }
        }
        return shards.get(known);
    }

    Optional<TaskView> inspect(TaskId id) {
        Optional<TaskView> ended = Optional.empty();
        for (int home : layout.homes(id)) {
            var view = shards.get(home).queue().inspect(id);
            if (view.isPresent() && !hasEnded(view.get().state())) {
                return view;
            }
            ended = ended.isPresent() ? ended : view;
        }
        return ended;
    }

    private static boolean hasEnded(TaskState state) {
        return state == TaskState.DONE || state == TaskState.CANCELLED;
    }

    Discard discard(TaskId id) {
        for (int home : layout.homes(id)) {
            if (shards.get(home).queue().discard(id) == Discard.DISCARDED) {
                return Discard.DISCARDED;
            }
        }
        return Discard.NOT_DEAD;
    }

    Requeue requeue(TaskId id) {
        for (int home : layout.homes(id)) {
            if (shards.get(home).queue().requeue(id) == Requeue.REQUEUED) {
                return Requeue.REQUEUED;
            }
        }
        return Requeue.NOT_DEAD;
    }
}
