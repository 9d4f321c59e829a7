package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Enqueue.Outcome;
import dev.soloist.coordination.delayed.Enqueue.Reason;
import dev.soloist.coordination.delayed.Millis;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.delayed.RequestDigest;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gives tasks their due. Thread-safe. */
final class Entering {

    private static final Duration FURTHEST = Duration.ofDays(365);

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;
    private final Membership members;
    private final Supplier<QueueLimits> limits;

    Entering(
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

    Enqueue enqueue(InstanceId instance, NewTask task) {
        if (!members.isActive(instance)) {
            return new Enqueue.Fenced();
        }
        if (task.priority() != Priority.NORMAL) {
            return new Enqueue.Refused(Reason.NO_PRIORITIES);
        }
        var contest = new Contest(task.id());
        Enqueue answer = entered(instance, task);
        while (answer == null) {
            contest.again();
            answer = entered(instance, task);
        }
        // What was written under the name of an instance that was fenced meanwhile may be hinted at by a segment that
        // nobody looks after: the repeat under the next name writes the hint anew.
        return answer instanceof Enqueue.Accepted && !members.isActive(instance) ? new Enqueue.Fenced() : answer;
    }

    Rescheduling reschedule(TaskId id, When when, InstanceId instance) {
        boolean active = members.isActive(instance);
        var contest = new Contest(id);
        while (true) {
            long now = commands.time();
            long due = due(when, now);
            Tasks.Stored stored = tasks.read(id);
            if (stored == null || !stored.isLiving()) {
                return new Rescheduling.NotFound();
            }
            TaskRecord was = stored.task();
            if (was.state() != TaskRecord.State.P) {
                return new Rescheduling.Refused(
                        was.state() == TaskRecord.State.I ? Rescheduling.Reason.IN_FLIGHT : Rescheduling.Reason.DEAD);
            }
            if (due - now > FURTHEST.toMillis()) {
                return new Rescheduling.Refused(Rescheduling.Reason.TOO_FAR);
            }
            String segment = active ? instance.value() : TaskKeys.SHARED;
            TaskRecord moved = was.waiting(was.attempts(), was.receipt(), at(segment, due, now), due, was.error());
            attendIfEarlier(id, was, due);
            if (tasks.change(id, stored, moved)) {
                hints.point(id, segment, due, now);
                return new Rescheduling.Rescheduled(
                        Instant.ofEpochMilli(due), active && isHead(instance, id), Instant.ofEpochMilli(now));
            }
            contest.again();
        }
    }

    /** One try; null if somebody was quicker. */
    private @Nullable Enqueue entered(InstanceId instance, NewTask task) {
        long now = commands.time();
        Tasks.Stored stored = tasks.read(task.id());
        return stored != null && stored.isLiving()
                ? merge(instance, task, stored, now)
                : create(instance, task, stored, now);
    }

    /** A new task, also where an ended one is remembered; null if somebody was quicker. */
    private @Nullable Enqueue create(InstanceId instance, NewTask task, Tasks.@Nullable Stored ended, long now) {
        String request = RequestDigest.of(task.requestKey());
        if (ended != null && ended.task().knows(request)) {
            return accepted(Outcome.DUPLICATE, instance, task.id(), ended.task().due(), now);
        }
        long due = due(task.when(), now);
        if (due - now > FURTHEST.toMillis()) {
            return new Enqueue.Refused(Reason.TOO_FAR);
        }
        if (task.payload().bytes().length > limits.get().maxPayload()) {
            return new Enqueue.Refused(Reason.TOO_LARGE);
        }
        if (isFull()) {
            return new Enqueue.Refused(Reason.FULL);
        }
        long version = ended == null ? 1 : ended.task().version() + 1;
        TaskRecord fresh = TaskRecord.fresh(version, instance.value(), due, now, request, task.payload());
        long begun = System.nanoTime();
        // The index comes first: a record that is in no index would be found by nobody.
        hints.attend(task.id(), due);
        if (!(ended == null ? tasks.create(task.id(), fresh) : tasks.change(task.id(), ended, fresh))) {
            return null;
        }
        boolean slow = System.nanoTime() - begun > hints.patience().dividedBy(2).toNanos();
        if (ended != null || limits.get().retention().isZero() || slow) {
            // Whoever tidied up behind the former life may have removed the entry just before the record was written.
            hints.attend(task.id(), due);
        }
        hints.point(task.id(), instance.value(), due, now);
        return accepted(Outcome.CREATED, instance, task.id(), due, now);
    }

    /** A submission to a living task; null if that was changed meanwhile. */
    private @Nullable Enqueue merge(InstanceId instance, NewTask task, Tasks.Stored stored, long now) {
        TaskRecord was = stored.task();
        String request = RequestDigest.of(task.requestKey());
        if (was.knows(request)) {
            pointAgain(instance, task.id(), was, now);
            return accepted(Outcome.DUPLICATE, instance, task.id(), was.due(), now);
        }
        if (was.state() != TaskRecord.State.P) {
            return new Enqueue.Refused(was.state() == TaskRecord.State.I ? Reason.IN_FLIGHT : Reason.DEAD);
        }
        if (task.onDuplicate() == OnDuplicate.REJECT) {
            return new Enqueue.Refused(Reason.EXISTS);
        }
        long due = due(task.when(), now);
        if (due - now > FURTHEST.toMillis()) {
            return new Enqueue.Refused(Reason.TOO_FAR);
        }
        boolean replaced = task.onDuplicate() == OnDuplicate.REPLACE;
        if (replaced && task.payload().bytes().length > limits.get().maxPayload()) {
            return new Enqueue.Refused(Reason.TOO_LARGE);
        }
        boolean moved = replaced || task.onDuplicate() == OnDuplicate.KEEP_LATEST || due < was.due();
        long counts = moved ? due : was.due();
        TaskRecord next = replaced
                ? TaskRecord.fresh(was.version() + 1, instance.value(), due, now, request, task.payload())
                : was.merged(moved ? instance.value() : was.at(), counts, request);
        attendIfEarlier(task.id(), was, counts);
        if (!tasks.change(task.id(), stored, next)) {
            return null;
        }
        if (moved) {
            hints.point(task.id(), instance.value(), due, now);
        }
        Outcome outcome = replaced ? Outcome.REPLACED : moved ? Outcome.MOVED : Outcome.KEPT;
        return accepted(outcome, instance, task.id(), counts, now);
    }

    /**
     * The first try may have died between the record and its hint, or may have hinted from the segment of an instance that
     * is fenced by now. Of a due task of the same instance the list may hold the hint still.
     */
    private void pointAgain(InstanceId instance, TaskId id, TaskRecord was, long now) {
        if (was.state() == TaskRecord.State.P
                && (was.due() > now || !was.at().equals(instance.value()) || commands.length(keys.ready()) == 0)) {
            hints.point(id, instance.value(), was.due(), now);
        }
    }

    private void attendIfEarlier(TaskId id, TaskRecord was, long due) {
        if (due < was.due()) {
            hints.attend(id, due);
        }
    }

    private boolean isFull() {
        long recorded = commands.size(keys.index());
        long most = limits.get().maxDepth();
        return recorded >= most && recorded >= most + commands.size(keys.dead());
    }

    private Enqueue accepted(Outcome outcome, InstanceId instance, TaskId id, long due, long now) {
        return new Enqueue.Accepted(
                outcome, Instant.ofEpochMilli(due), due > now && isHead(instance, id), Instant.ofEpochMilli(now));
    }

    private boolean isHead(InstanceId instance, TaskId id) {
        List<Commands.Scored> head = commands.first(keys.segment(instance.value()), 1);
        return !head.isEmpty() && Arrays.equals(head.getFirst().member(), TaskKeys.member(id));
    }

    private static String at(String segment, long due, long now) {
        return due > now ? segment : "";
    }

    private static long due(When when, long now) {
        return switch (when) {
            case When.After(Duration delay) -> now + Millis.of(delay);
            case When.At(Instant instant) -> Math.max(now, Millis.of(instant));
        };
    }
}
