package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.Swept;
import dev.soloist.coordination.delayed.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One sweep: judges tasks by their records and brings their indexes in step. For one thread. */
final class SweepRound {

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;
    private final SweepRequest request;
    private final String segment;
    private final long now;
    private final Map<TaskId, Long> deadlines = new LinkedHashMap<>();
    private final Map<TaskId, Long> looks = new LinkedHashMap<>();
    private final List<TaskId> released = new ArrayList<>();
    private final List<TaskId> ended = new ArrayList<>();
    private final List<TaskId> notDead = new ArrayList<>();
    private int delayed;
    private int dead;
    private int cancelled;
    private int dropped;
    private @Nullable Long first;

    SweepRound(
            Commands commands,
            TaskKeys keys,
            Tasks tasks,
            Hints hints,
            SweepRequest request,
            String segment,
            long now) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
        this.hints = hints;
        this.request = request;
        this.segment = segment;
        this.now = now;
    }

    /** Tasks whose visibility is over by the index of the held ones. */
    void takeBack(List<TaskId> ids) {
        List<Tasks.@Nullable Stored> stored = tasks.readAll(ids);
        for (int i = 0; i < ids.size(); i++) {
            TaskId id = ids.get(i);
            Tasks.Stored one = stored.get(i);
            if (one == null || one.task().state() != TaskRecord.State.I) {
                dropped++;
                released.add(id);
            } else {
                held(id, one);
            }
        }
        flush();
    }

    /** Tasks that somebody has to look at, since what should have happened to them has not. */
    void look(List<TaskId> ids) {
        List<Tasks.@Nullable Stored> stored = tasks.readAll(ids);
        var lost = new ArrayList<TaskId>();
        long served = ids.isEmpty() ? 0 : new ReadyList(commands, keys, tasks).servedUpTo(now);
        for (int i = 0; i < ids.size(); i++) {
            TaskId id = ids.get(i);
            Tasks.Stored one = stored.get(i);
            if (one == null || one.task().state() != TaskRecord.State.D) {
                notDead.add(id);
            }
            if (one == null || !one.isLiving()) {
                ended.add(id);
                continue;
            }
            TaskRecord task = one.task();
            switch (task.state()) {
                case I -> {
                    looks.put(id, Math.max(now, task.until()) + hints.patience().toMillis());
                    held(id, one);
                }
                case D -> hints.stillDead(id, task.until(), now);
                default -> {
                    if (task.due() > now) {
                        looks.put(id, task.due() + hints.patience().toMillis());
                        if (task.at().isEmpty() || !commands.contains(keys.segment(task.at()), TaskKeys.member(id))) {
                            hints.point(id, TaskKeys.SHARED, task.due(), now);
                        }
                    } else {
                        long late = now - task.due();
                        looks.put(id, now + Math.max(hints.patience().toMillis(), late));
                        if (task.due() < served) {
                            lost.add(id);
                        }
                    }
                }
            }
        }
        // Before the hint, as somebody may follow that and end the task, and then nobody looks here any more.
        hints.undead(notDead);
        hints.ready(lost);
        flush();
    }

    Swept result(boolean more) {
        return new Swept(
                delayed,
                dead,
                cancelled,
                dropped,
                more,
                first == null ? null : Instant.ofEpochMilli(first),
                Instant.ofEpochMilli(now));
    }

    private void held(TaskId id, Tasks.Stored stored) {
        TaskRecord was = stored.task();
        if (was.until() > now) {
            deadlines.put(id, was.until());
        } else if (was.cancelled()) {
            if (tasks.end(id, stored, TaskRecord.State.C)) {
                cancelled++;
                released.add(id);
                ended.add(id);
            }
        } else if (was.attempts() >= request.maxAttempts()) {
            if (tasks.change(id, stored, was.dead("", now, was.error()))) {
                dead++;
                hints.died(id, now, now);
                released.add(id);
            }
        } else {
            long wait = request.backoff().delay(was.attempts()).toMillis();
            long due = now + wait + (long) (wait * ThreadLocalRandom.current().nextDouble() / 10);
            if (tasks.change(id, stored, was.waiting(was.attempts(), "", segment, due, was.error()))) {
                commands.add(keys.segment(segment), TaskKeys.member(id), due);
                delayed++;
                released.add(id);
                first = first == null ? due : Math.min(first, due);
            }
        }
    }

    private void flush() {
        hints.held(deadlines);
        hints.released(released);
        hints.attendLater(looks);
        hints.ended(ended, tasks);
        deadlines.clear();
        released.clear();
        looks.clear();
        ended.clear();
        notDead.clear();
    }
}
