package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.delayed.Requeue;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.delayed.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Only looks, but for bringing a dead task back. Thread-safe. */
final class Reading {

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;

    Reading(Commands commands, TaskKeys keys, Tasks tasks, Hints hints) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
        this.hints = hints;
    }

    Optional<TaskView> inspect(TaskId id) {
        Tasks.Stored stored = tasks.read(id);
        if (stored == null) {
            return Optional.empty();
        }
        TaskRecord task = stored.task();
        Instant due = Instant.ofEpochMilli(task.due());
        if (task.state().isEnded()) {
            TaskState how = task.state() == TaskRecord.State.E ? TaskState.DONE : TaskState.CANCELLED;
            return Optional.of(new TaskView(
                    id, how, due, task.attempts(), "", null, null, false, null, null, Priority.NORMAL, null));
        }
        boolean held = task.state() == TaskRecord.State.I;
        TaskState state = switch (task.state()) {
            case I -> TaskState.IN_FLIGHT;
            case D -> TaskState.DEAD;
            default -> task.due() > commands.time() ? TaskState.DELAYED : TaskState.READY;
        };
        return Optional.of(new TaskView(
                id,
                state,
                due,
                task.attempts(),
                task.error(),
                held ? task.at() : null,
                held ? Instant.ofEpochMilli(task.until()) : null,
                task.cancelled(),
                Instant.ofEpochMilli(task.enqueued()),
                task.payload(),
                Priority.NORMAL,
                task.state() == TaskRecord.State.D ? Instant.ofEpochMilli(task.until()) : null));
    }

    /** Sizes of the indexes, read one after another: near the truth, and not of one moment. */
    QueueCounts counts(Collection<String> segments) {
        long recorded = commands.size(keys.index());
        long inFlight = commands.size(keys.inFlight());
        long dead = commands.size(keys.dead());
        long waiting = Math.max(0, recorded - inFlight - dead);
        long ready = Math.min(commands.length(keys.ready()), waiting);
        long now = commands.time();
        long first = firstReady(now);
        var all = new ArrayList<>(segments);
        all.add(TaskKeys.SHARED);
        for (String segment : all) {
            List<Commands.Scored> head = commands.first(keys.segment(segment), 1);
            first = head.isEmpty() ? first : Math.min(first, head.getFirst().score());
        }
        return new QueueCounts(waiting - ready, ready, inFlight, dead, Duration.ofMillis(Math.max(0, now - first)));
    }

    private long firstReady(long now) {
        List<TaskId> head =
                commands.peek(keys.ready(), 1).stream().map(TaskKeys::task).toList();
        for (Tasks.@Nullable Stored stored : tasks.readAll(head)) {
            if (stored != null && stored.task().state() == TaskRecord.State.P) {
                return stored.task().due();
            }
        }
        return now;
    }

    List<DeadTask> dead(int skip, int max) {
        List<Commands.Scored> page = commands.last(keys.dead(), skip, max);
        List<TaskId> ids =
                page.stream().map(entry -> TaskId.fromBytes(entry.member())).toList();
        List<Tasks.@Nullable Stored> stored = tasks.readAll(ids);
        var out = new ArrayList<DeadTask>();
        for (int i = 0; i < ids.size(); i++) {
            Tasks.Stored one = stored.get(i);
            if (one != null && one.task().state() == TaskRecord.State.D) {
                out.add(new DeadTask(
                        ids.get(i),
                        Instant.ofEpochMilli(page.get(i).score()),
                        Instant.ofEpochMilli(one.task().due()),
                        one.task().attempts(),
                        one.task().error()));
            }
        }
        return List.copyOf(out);
    }

    Requeue requeue(TaskId id) {
        var contest = new Contest(id);
        while (true) {
            Tasks.Stored stored = tasks.read(id);
            if (stored == null || stored.task().state() != TaskRecord.State.D) {
                return Requeue.NOT_DEAD;
            }
            long now = commands.time();
            hints.attend(id, now);
            if (tasks.change(
                    id,
                    stored,
                    stored.task().waiting(0, "", "", now, stored.task().error()))) {
                hints.undead(List.of(id));
                hints.ready(List.of(id));
                return Requeue.REQUEUED;
            }
            contest.again();
        }
    }
}
