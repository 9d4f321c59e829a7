package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.Millis;
import dev.soloist.coordination.delayed.Receipt;
import dev.soloist.coordination.delayed.Reservation;
import dev.soloist.coordination.delayed.ReserveRequest;
import dev.soloist.coordination.delayed.ReservedTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands out due tasks. A hint goes from the ready list to the instance's own list and stays there until its record has
 * been judged; so one whose taker breaks off comes up at the next call, and one that is lost on the way comes back by the
 * index of all tasks. Thread-safe: one reservation at a time, so that what lies in the own list was left by an earlier one.
 */
final class Reserving {

    /** A sidecar is small: a batch of large payloads must not fill its memory. */
    private static final int BATCH_BYTES = 1024 * 1024;

    /** So many hints are looked at per task asked for, as some may be stale. */
    private static final int HINTS_PER_TASK = 3;

    /** Longer than any caller repeats a call. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final Commands commands;
    private final TaskKeys keys;
    private final Tasks tasks;
    private final Hints hints;
    private final Membership members;
    private final ReentrantLock oneAtATime = new ReentrantLock();

    Reserving(Commands commands, TaskKeys keys, Tasks tasks, Hints hints, Membership members) {
        this.commands = commands;
        this.keys = keys;
        this.tasks = tasks;
        this.hints = hints;
        this.members = members;
    }

    Reservation reserve(InstanceId instance, ReserveRequest request) {
        oneAtATime.lock();
        try {
            if (!members.isActive(instance)) {
                return new Reservation.Fenced();
            }
            byte[] last = commands.get(keys.lastReservation(instance));
            if (last == null) {
                return new Round(instance, request, List.of()).take();
            }
            Batch before = Batch.read(last);
            if (before.isOf(request.nonce())) {
                return new Round(instance, request, before.spent()).again(before);
            }
            var round = new Round(instance, request, before.spentByNext());
            return before.spent().contains(request.nonce().value()) ? round.nothing() : round.take();
        } finally {
            oneAtATime.unlock();
        }
    }

    /** One call. */
    private final class Round {

        private final InstanceId instance;
        private final ReserveRequest request;
        private final List<String> spent;
        private long now;
        private long deadline;
        private final List<ReservedTask> out = new ArrayList<>();
        private final Map<TaskId, Long> held = new LinkedHashMap<>();
        private final List<Batch.Entry> batch = new ArrayList<>();
        private final Set<TaskId> seen = new HashSet<>();
        private int bytes;
        private boolean marked;

        Round(InstanceId instance, ReserveRequest request, List<String> spent) {
            this.instance = instance;
            this.request = request;
            this.spent = spent;
            lookAtTheClock();
        }

        private void lookAtTheClock() {
            now = commands.time();
            deadline = now + Millis.of(request.visibility());
        }

        /** For a call that was answered long ago: handed out to it, tasks would lie with nobody. */
        Reservation nothing() {
            return reserved(false);
        }

        /** What is left of a batch, and what of it the first try had not come to. */
        Reservation again(Batch before) {
            List<Tasks.@Nullable Stored> stored = tasks.readAll(before.ids());
            for (int i = 0; i < stored.size(); i++) {
                Tasks.Stored one = stored.get(i);
                Batch.Entry entry = before.entries().get(i);
                String receipt = before.receipt(i);
                if (one != null && one.task().isHeldBy(receipt)) {
                    hold(entry.id(), one, one.task().extended(deadline), receipt);
                } else if (one != null && one.task().version() == entry.version()) {
                    judge(entry.id(), one, receipt);
                }
            }
            hints.held(held);
            return reserved(true);
        }

        Reservation take() {
            int most = HINTS_PER_TASK * request.max();
            int looked = 0;
            boolean empty = false;
            List<byte[]> left = commands.peek(keys.processing(instance), most);
            while (out.size() < request.max() && bytes < BATCH_BYTES && looked < most && !empty) {
                int page = Math.min(Math.min(Tasks.PAGE, request.max() - out.size()), most - looked);
                List<byte[]> members = new ArrayList<>(left.subList(0, Math.min(page, left.size())));
                left = left.subList(members.size(), left.size());
                empty = !fill(members, page);
                looked += members.size();
                judge(members);
            }
            hints.held(held);
            if (looked > 0) {
                commands.delete(keys.processing(instance));
            }
            return reserved(!empty);
        }

        /** Takes hints until there are enough; false once there are none. */
        private boolean fill(List<byte[]> members, int enough) {
            while (members.size() < enough) {
                byte[] member = commands.take(keys.ready(), keys.processing(instance));
                if (member == null) {
                    return false;
                }
                if (!marked) {
                    // Nobody else ever looks at the list of an instance that is gone.
                    commands.expire(keys.processing(instance), REMEMBERED);
                    marked = true;
                }
                members.add(member);
            }
            return true;
        }

        private void judge(List<byte[]> members) {
            List<TaskId> ids =
                    members.stream().map(TaskKeys::task).filter(seen::add).toList();
            List<Tasks.@Nullable Stored> stored = tasks.readAll(ids);
            int first = batch.size();
            var living = new ArrayList<Tasks.Stored>();
            for (int i = 0; i < ids.size(); i++) {
                Tasks.Stored one = stored.get(i);
                if (one != null && one.isLiving()) {
                    batch.add(new Batch.Entry(ids.get(i), one.task().version()));
                    living.add(one);
                }
            }
            if (living.isEmpty()) {
                return;
            }
            var remembered = new Batch(request.nonce().value(), spent, batch);
            commands.set(keys.lastReservation(instance), remembered.write(), REMEMBERED);
            for (int i = 0; i < living.size(); i++) {
                if (bytes >= BATCH_BYTES) {
                    putBack(remembered.ids().subList(first + i, batch.size()));
                    return;
                }
                judge(batch.get(first + i).id(), living.get(i), remembered.receipt(first + i));
            }
        }

        private void judge(TaskId id, Tasks.Stored stored, String receipt) {
            TaskRecord was = stored.task();
            if (was.state() != TaskRecord.State.P) {
                return;
            }
            if (was.due() > now) {
                // A mover's later look at the clock may have made it ready.
                lookAtTheClock();
            }
            if (was.due() > now) {
                hints.point(id, instance.value(), was.due(), now);
            } else if (was.attempts() >= request.maxAttempts()) {
                if (tasks.change(id, stored, was.dead("", now, was.error()))) {
                    hints.died(id, now, now);
                }
            } else {
                hold(id, stored, was.held(instance.value(), receipt, deadline), receipt);
            }
        }

        private void hold(TaskId id, Tasks.Stored stored, TaskRecord next, String receipt) {
            if (!tasks.change(id, stored, next)) {
                return;
            }
            held.put(id, deadline);
            bytes += next.payload().bytes().length;
            out.add(new ReservedTask(
                    id,
                    next.payload(),
                    new Receipt(receipt),
                    next.attempts(),
                    Instant.ofEpochMilli(next.due()),
                    Instant.ofEpochMilli(next.enqueued())));
        }

        private void putBack(List<TaskId> ids) {
            commands.prepend(
                    keys.ready(), ids.reversed().stream().map(TaskKeys::member).toList());
        }

        private Reservation reserved(boolean more) {
            return new Reservation.Reserved(List.copyOf(out), more, Instant.ofEpochMilli(now));
        }
    }
}
