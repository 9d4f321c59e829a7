package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Repair;
import dev.soloist.coordination.delayed.Repaired;
import dev.soloist.coordination.delayed.TaskId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes every index anew from the records, found by their names, so that nothing that a record knows is lost with an
 * index. One page of names per call. Thread-safe.
 */
final class Mending {

    private static final int PAGE = 100;

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;

    Mending(Commands commands, TaskKeys keys, Tasks tasks, Hints hints) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
        this.hints = hints;
    }

    /** All phases are one walk here, since one record knows everything. */
    Repaired repair(Repair step) {
        if (step.phase() != Repair.Phase.HELD) {
            return new Repaired(step.after("0"), 0, 0, 0, 0, 0, 0);
        }
        List<String> page = commands.scan(step.cursor(), keys.records() + "*", PAGE);
        long now = commands.time();
        var round = new Round(step, now);
        List<TaskId> ids = page.stream().skip(1).map(this::id).toList();
        List<Tasks.@Nullable Stored> stored = tasks.readAll(ids);
        for (int i = 0; i < ids.size(); i++) {
            Tasks.Stored one = stored.get(i);
            if (one != null && one.isLiving()) {
                round.mend(ids.get(i), one.task());
            }
        }
        return round.result(page.getFirst());
    }

    private TaskId id(String key) {
        return TaskId.fromBytes(
                Base64.getUrlDecoder().decode(key.substring(keys.records().length())));
    }

    private final class Round {

        private final Repair step;
        private final long now;
        private final long served;
        private final Map<TaskId, Long> looks = new LinkedHashMap<>();
        private final Map<TaskId, Long> deadlines = new LinkedHashMap<>();
        private final List<TaskId> lost = new ArrayList<>();
        private int deadLetters;
        private int reindexed;

        Round(Repair step, long now) {
            this.step = step;
            this.now = now;
            this.served = new ReadyList(commands, keys, tasks).servedUpTo(now);
        }

        void mend(TaskId id, TaskRecord task) {
            if (!commands.contains(keys.index(), id.bytes())) {
                looks.put(
                        id,
                        Math.max(task.due(), task.until()) + hints.patience().toMillis());
            }
            switch (task.state()) {
                case I -> {
                    if (!commands.contains(keys.inFlight(), id.bytes())) {
                        deadlines.put(id, task.until());
                    }
                }
                case D -> {
                    if (!commands.contains(keys.dead(), id.bytes())) {
                        hints.died(id, task.until(), now);
                        deadLetters++;
                    }
                }
                default -> waiting(id, task);
            }
        }

        private void waiting(TaskId id, TaskRecord task) {
            if (task.due() <= now) {
                if (task.due() + step.overdue().toMillis() < Math.min(now, served)) {
                    lost.add(id);
                }
                return;
            }
            byte[] member = TaskKeys.member(id);
            boolean owned = step.owned().contains(task.at()) && commands.contains(keys.segment(task.at()), member);
            if (!owned && !commands.contains(keys.segment(TaskKeys.SHARED), member)) {
                hints.point(id, TaskKeys.SHARED, task.due(), now);
                reindexed++;
            }
        }

        Repaired result(String cursor) {
            hints.attendLater(looks);
            hints.held(deadlines);
            hints.ready(lost);
            return new Repaired(step.after(cursor), deadlines.size(), deadLetters, 0, lost.size(), reindexed, 0);
        }
    }
}
