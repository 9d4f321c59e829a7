package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.Discard;
import dev.soloist.coordination.delayed.Extension;
import dev.soloist.coordination.delayed.GiveBack;
import dev.soloist.coordination.delayed.GivenBack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.delayed.Millis;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What holders do with what they hold, and withdrawing. Thread-safe. */
final class Ending {

    private static final int PAGE = 100;

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;
    private final Membership members;

    Ending(Commands commands, TaskKeys keys, Tasks tasks, Hints hints, Membership members) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
        this.hints = hints;
        this.members = members;
    }

    List<Ack> ack(List<Held> held) {
        var answers = new ArrayList<Ack>(held.size());
        for (int from = 0; from < held.size(); from += PAGE) {
            List<Held> page = held.subList(from, Math.min(held.size(), from + PAGE));
            var ended = new ArrayList<TaskId>();
            for (Held one : page) {
                Ack answer = ack(one);
                answers.add(answer);
                if (answer != Ack.STALE) {
                    ended.add(one.id());
                }
            }
            hints.released(ended);
            hints.ended(ended, tasks);
        }
        return List.copyOf(answers);
    }

    private Ack ack(Held held) {
        String receipt = held.receipt().value();
        var contest = new Contest(held.id());
        while (true) {
            Tasks.Stored stored = tasks.read(held.id());
            if (stored == null || !stored.task().isHeldBy(receipt)) {
                boolean known = stored != null
                        && stored.task().state() == TaskRecord.State.E
                        && stored.task().receipt().equals(receipt);
                return known ? Ack.REPEATED : Ack.STALE;
            }
            if (tasks.end(held.id(), stored, TaskRecord.State.E)) {
                return Ack.ACKED;
            }
            contest.again();
        }
    }

    Extension extend(Held held, Duration visibility) {
        var contest = new Contest(held.id());
        while (true) {
            long now = commands.time();
            Tasks.Stored stored = tasks.read(held.id());
            if (stored == null || !stored.task().isHeldBy(held.receipt().value())) {
                return new Extension.Stale();
            }
            long deadline = now + Millis.of(visibility);
            if (tasks.change(held.id(), stored, stored.task().extended(deadline))) {
                hints.held(Map.of(held.id(), deadline));
                return new Extension.Extended(stored.task().cancelled(), Instant.ofEpochMilli(now));
            }
            contest.again();
        }
    }

    GivenBack giveBack(InstanceId instance, GiveBack back, int maxAttempts) {
        TaskId id = back.held().id();
        String receipt = back.held().receipt().value();
        boolean active = members.isActive(instance);
        var contest = new Contest(id);
        while (true) {
            long now = commands.time();
            Tasks.Stored stored = tasks.read(id);
            if (stored == null || !stored.task().isHeldBy(receipt)) {
                return repeated(id, stored, receipt, now);
            }
            TaskRecord was = stored.task();
            if (was.cancelled()) {
                if (tasks.end(id, stored, TaskRecord.State.C)) {
                    gone(id);
                    return GivenBack.CANCELLED;
                }
            } else if (back.mode() == GiveBack.Mode.DEAD
                    || (back.mode() == GiveBack.Mode.RETRY && was.attempts() >= maxAttempts)) {
                if (tasks.change(id, stored, was.dead(receipt, now, back.error()))) {
                    hints.died(id, now, now);
                    hints.released(List.of(id));
                    return GivenBack.DEAD;
                }
            } else {
                long due = now + Millis.of(back.delay());
                String segment = active ? instance.value() : TaskKeys.SHARED;
                int count = back.counts() ? was.attempts() : Math.max(0, was.attempts() - 1);
                if (tasks.change(
                        id, stored, was.waiting(count, receipt, due > now ? segment : "", due, back.error()))) {
                    hints.point(id, segment, due, now);
                    hints.released(List.of(id));
                    return due > now ? GivenBack.DELAYED : GivenBack.READY;
                }
            }
            contest.again();
        }
    }

    /** A first try may have died between the record and its hint; of a due task the list may hold the hint still. */
    private GivenBack repeated(TaskId id, Tasks.@Nullable Stored stored, String receipt, long now) {
        if (stored == null
                || !stored.task().receipt().equals(receipt)
                || stored.task().state() == TaskRecord.State.E) {
            return GivenBack.STALE;
        }
        TaskRecord task = stored.task();
        if (task.state() == TaskRecord.State.P && (task.due() > now || commands.length(keys.ready()) == 0)) {
            hints.point(id, task.at().isEmpty() ? TaskKeys.SHARED : task.at(), task.due(), now);
        }
        return GivenBack.REPEATED;
    }

    /** A repeat is answered as the first: the record says that it was withdrawn. */
    Discard discard(TaskId id) {
        var contest = new Contest(id);
        while (true) {
            Tasks.Stored stored = tasks.read(id);
            if (stored == null
                    || (stored.task().state() != TaskRecord.State.D
                            && stored.task().state() != TaskRecord.State.C)) {
                return Discard.NOT_DEAD;
            }
            boolean ends = stored.task().state() == TaskRecord.State.D;
            if (ends) {
                hints.attend(id, commands.time());
            }
            if (!ends || tasks.end(id, stored, TaskRecord.State.C)) {
                hints.undead(List.of(id));
                gone(id);
                return Discard.DISCARDED;
            }
            contest.again();
        }
    }

    Cancellation cancel(TaskId id) {
        var contest = new Contest(id);
        while (true) {
            Tasks.Stored stored = tasks.read(id);
            if (stored == null) {
                return Cancellation.NOT_FOUND;
            }
            TaskRecord was = stored.task();
            switch (was.state()) {
                case E -> {
                    return Cancellation.DONE;
                }
                case C -> {
                    hints.undead(List.of(id));
                    gone(id);
                    return Cancellation.CANCELLED;
                }
                case I -> {
                    if (was.cancelled() || tasks.change(id, stored, was.flagged())) {
                        return Cancellation.IN_FLIGHT;
                    }
                }
                case P, D -> {
                    if (was.state() == TaskRecord.State.D) {
                        hints.attend(id, commands.time());
                    }
                    if (tasks.end(id, stored, TaskRecord.State.C)) {
                        hints.undead(was.state() == TaskRecord.State.D ? List.of(id) : List.of());
                        gone(id);
                        tidy(id, was);
                        return Cancellation.CANCELLED;
                    }
                }
            }
            contest.again();
        }
    }

    private void gone(TaskId id) {
        hints.released(List.of(id));
        hints.ended(List.of(id), tasks);
    }

    /** Spares movers a look at a stale hint. A new life of the id may have its hint under the same name: it gets it back. */
    private void tidy(TaskId id, TaskRecord was) {
        if (was.state() != TaskRecord.State.P || was.at().isEmpty()) {
            return;
        }
        commands.remove(keys.segment(was.at()), List.of(TaskKeys.member(id)));
        Tasks.Stored again = tasks.read(id);
        if (again != null
                && again.task().state() == TaskRecord.State.P
                && again.task().at().equals(was.at())) {
            commands.add(
                    keys.segment(was.at()), TaskKeys.member(id), again.task().due());
        }
    }
}
