package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Purged;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.delayed.Swept;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.key.InstanceId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts things right behind holders and hands that failed, and forgets what is too old. Thread-safe. */
final class Upkeep {

    private static final int MAX_PURGE = 20;

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;
    private final Membership members;
    private final Supplier<QueueLimits> limits;

    Upkeep(
            Commands commands,
            TaskKeys keys,
            Tasks tasks,
            Hints hints,
            Membership members,
            Supplier<QueueLimits> limits) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
        this.hints = hints;
        this.members = members;
        this.limits = limits;
    }

    Swept sweep(@Nullable InstanceId instance, SweepRequest request) {
        long now = commands.time();
        List<TaskId> over = due(keys.inFlight(), request.max(), now);
        List<TaskId> looks = due(keys.index(), request.max(), now);
        if (over.isEmpty() && looks.isEmpty()) {
            return new Swept(0, 0, 0, 0, false, null, Instant.ofEpochMilli(now));
        }
        String segment = instance != null && members.isActive(instance) ? instance.value() : TaskKeys.SHARED;
        var round = new SweepRound(commands, keys, tasks, hints, request, segment, now);
        round.takeBack(over);
        round.look(looks);
        return round.result(over.size() == request.max() || looks.size() == request.max());
    }

    Purged purge() {
        QueueLimits now = limits.get();
        return purge(now.deadMaxAge().toMillis(), now.deadMaxCount());
    }

    /** Whatever their age and number. */
    Purged purgeDead() {
        return purge(0, 0);
    }

    private Purged purge(long maxAge, long maxCount) {
        long now = commands.time();
        List<Commands.Scored> oldest = commands.first(keys.dead(), MAX_PURGE);
        if (oldest.isEmpty()) {
            return new Purged(0, 0);
        }
        long excess = commands.size(keys.dead()) - maxCount;
        var gone = new ArrayList<TaskId>();
        for (int i = 0; i < oldest.size(); i++) {
            boolean tooOld = oldest.get(i).score() <= now - maxAge;
            if (tooOld || i < excess) {
                gone.add(TaskId.fromBytes(oldest.get(i).member()));
            }
        }
        for (TaskId id : gone) {
            Tasks.Stored stored = tasks.read(id);
            if (stored != null && stored.task().state() == TaskRecord.State.D) {
                tasks.forget(id, stored);
            }
        }
        hints.undead(gone);
        hints.ended(gone, tasks);
        return new Purged(0, gone.size());
    }

    private List<TaskId> due(String key, int max, long now) {
        return commands.first(key, max).stream()
                .filter(entry -> entry.score() <= now)
                .map(entry -> TaskId.fromBytes(entry.member()))
                .toList();
    }
}
