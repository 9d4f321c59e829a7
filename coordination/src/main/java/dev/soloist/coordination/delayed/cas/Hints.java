package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What points at records. Each entry may be lost or doubled without harm, because whoever follows it reads the record;
 * and the index of all tasks, which a task enters before its record is written, brings a lost one back. Thread-safe.
 */
final class Hints {

    /** For a queue in use. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A dead task needs nothing but its place among the dead letters. */
    private static final Duration DEAD_PATIENCE = Duration.ofHours(1);

    private final Commands commands;
    private final TaskKeys keys;
    private final Duration patience;

    Hints(Commands commands, TaskKeys keys, Duration patience) {
        this.commands = commands;
        this.keys = keys;
        this.patience = patience;
    }

    /** How long after a task ought to have been handed out or taken back somebody looks whether its hint was lost. */
    Duration patience() {
        return patience;
    }

    /** Enters a task into the index of all: to be looked at some time after the moment at which something is to happen. */
    void attend(TaskId id, long moment) {
        commands.add(keys.index(), id.bytes(), moment + patience.toMillis());
    }

    void attendLater(Map<TaskId, Long> looks) {
        commands.addAll(keys.index(), scores(looks));
    }

    /** Points at a task from where its due says: the ready list, or a segment. */
    void point(TaskId id, String segment, long due, long now) {
        if (due > now) {
            commands.add(keys.segment(segment), TaskKeys.member(id), due);
        } else {
            ready(List.of(id));
        }
    }

    void ready(List<TaskId> ids) {
        if (!ids.isEmpty()) {
            commands.append(keys.ready(), ids.stream().map(TaskKeys::member).toList());
            commands.publish(keys.wake(), "ready");
        }
    }

    void held(Map<TaskId, Long> deadlines) {
        commands.addAll(keys.inFlight(), scores(deadlines));
    }

    void released(Collection<TaskId> ids) {
        commands.remove(keys.inFlight(), bytes(ids));
    }

    /** Lists a task among the dead letters. A look soon afterwards finds out whether it was withdrawn just before. */
    void died(TaskId id, long when, long now) {
        commands.add(keys.dead(), id.bytes(), when);
        attend(id, now);
    }

    /** As {@link #died} for a task that was looked at. */
    void stillDead(TaskId id, long when, long now) {
        commands.add(keys.dead(), id.bytes(), when);
        commands.add(keys.index(), id.bytes(), now + DEAD_PATIENCE.toMillis());
    }

    void undead(Collection<TaskId> ids) {
        commands.remove(keys.dead(), bytes(ids));
    }

    /**
     * Takes tasks that have ended out of the index, and puts those back whose id has a new life by then: its enqueue may
     * have entered it just before.
     */
    void ended(List<TaskId> ids, Tasks tasks) {
        if (ids.isEmpty()) {
            return;
        }
        commands.remove(keys.index(), bytes(ids));
        List<Tasks.@Nullable Stored> again = tasks.readAll(ids);
        var alive = new LinkedHashMap<TaskId, Long>();
        for (int i = 0; i < ids.size(); i++) {
            Tasks.Stored stored = again.get(i);
            if (stored != null && stored.isLiving()) {
                TaskRecord task = stored.task();
                alive.put(ids.get(i), Math.max(task.due(), task.until()) + patience.toMillis());
            }
        }
        attendLater(alive);
    }

    private static List<Commands.Scored> scores(Map<TaskId, Long> times) {
        var scores = new ArrayList<Commands.Scored>(times.size());
        times.forEach((id, time) -> scores.add(new Commands.Scored(id.bytes(), time)));
        return scores;
    }

    private static List<byte[]> bytes(Collection<TaskId> ids) {
        return ids.stream().map(TaskId::bytes).toList();
    }
}
