package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What producers were promised and what holders saw, and every broken promise. Thread-safe. */
final class TaskLedger {

    /** One id's history, as seen from outside. */
    private static final class Fate {
        final AtomicReference<@Nullable Promise> promised = new AtomicReference<>();
        final AtomicReference<@Nullable Receipt> ackedBy = new AtomicReference<>();
        final AtomicReference<@Nullable Long> ended = new AtomicReference<>();
        final Set<Receipt> receipts = ConcurrentHashMap.newKeySet();
        volatile boolean meddledWith;
    }

    /** What a producer was told first: when the task is due, and when that was so by Redis. */
    private record Promise(Instant due, Instant at) {}

    private final Map<TaskId, Fate> fates = new ConcurrentHashMap<>();
    private final List<TaskId> ids = new ArrayList<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger deliveries = new AtomicInteger();
    private final AtomicInteger acks = new AtomicInteger();

    /** Before the first try to enqueue. */
    void announce(TaskId id) {
        fates.put(id, new Fate());
        synchronized (ids) {
            ids.add(id);
        }
    }

    /** Another due than the one promised can only come from a holder, who did not have the task before it was due. */
    void accepted(TaskId id, Enqueue.Accepted answer) {
        Fate fate = fate(id);
        var promise = new Promise(answer.dueAt(), answer.redisNow());
        if (fate.promised.compareAndSet(null, promise)) {
            return;
        }
        Instant due = fate.promised.get().due();
        boolean mayHaveBeenHeld =
                answer.dueAt().isAfter(due) && !answer.redisNow().isBefore(due);
        if (!answer.dueAt().equals(due) && !mayHaveBeenHeld && !fate.meddledWith) {
            complain(id + " was promised for " + due + " and then for " + answer.dueAt());
        }
    }

    /** Before cancelling or rescheduling: from now on the due is not ours to say. */
    void meddle(TaskId id) {
        fate(id).meddledWith = true;
    }

    void cancelled(TaskId id) {
        fate(id).ended.compareAndSet(null, System.nanoTime());
    }

    /** A holder was handed a task by an answer to a call sent at the given moment. */
    void delivered(ReservedTask task, Instant redisNow, long sentNanos) {
        Fate fate = fate(task.id());
        if (redisNow.isBefore(task.dueAt())) {
            complain(task.id() + " was early");
        }
        // What was handed out before the promise was made is not measured by it, however late that is told here.
        Promise promise = fate.promised.get();
        if (task.attempt() == 1
                && promise != null
                && redisNow.isAfter(promise.at())
                && !fate.meddledWith
                && task.dueAt().isBefore(promise.due())) {
            complain(task.id() + " was promised for " + promise.due() + " and due at " + task.dueAt());
        }
        Long ended = fate.ended.get();
        if (ended != null && sentNanos - ended > 0) {
            complain(task.id() + " was delivered after its end");
        }
        if (fate.receipts.add(task.receipt())) {
            deliveries.incrementAndGet();
        }
    }

    /** @param held the longest that the holder can have had it by Redis' clock when it was refused; empty if nobody can tell */
    void acked(ReservedTask task, Ack answer, Supplier<Optional<Duration>> held, Duration visibility) {
        Fate fate = fate(task.id());
        switch (answer) {
            case ACKED, REPEATED -> {
                Receipt before = fate.ackedBy.getAndSet(task.receipt());
                if (before == null) {
                    acks.incrementAndGet();
                } else if (answer == Ack.ACKED || !before.equals(task.receipt())) {
                    complain(task.id() + " was ended by " + before + " and by " + task.receipt());
                }
                fate.ended.compareAndSet(null, System.nanoTime());
            }
            case STALE -> withinVisibility(task, "acknowledging", held, visibility);
        }
    }

    void givenBack(ReservedTask task, GivenBack answer, Supplier<Optional<Duration>> held, Duration visibility) {
        switch (answer) {
            case CANCELLED -> cancelled(task.id());
            case STALE -> withinVisibility(task, "giving back", held, visibility);
            case DELAYED, READY, DEAD, REPEATED -> {}
        }
    }

    void complain(String what) {
        violations.add(what);
    }

    @Nullable
    TaskId any(Random dice) {
        synchronized (ids) {
            return ids.isEmpty() ? null : ids.get(Math.max(0, ids.size() - 1 - dice.nextInt(200)));
        }
    }

    List<TaskId> accepted() {
        return fates.entrySet().stream()
                .filter(entry -> entry.getValue().promised.get() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    boolean knowsAnAckOf(TaskId id) {
        return fate(id).ackedBy.get() != null;
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    int deliveries() {
        return deliveries.get();
    }

    int acks() {
        return acks.get();
    }

    /** Nobody can have taken the task from a holder that answers within its visibility. */
    private void withinVisibility(
            ReservedTask task, String when, Supplier<Optional<Duration>> held, Duration visibility) {
        held.get()
                .filter(time -> time.compareTo(visibility) < 0)
                .ifPresent(time -> complain(task.id() + " was taken from its holder, attempt " + task.attempt()
                        + ", before " + when + " after " + time.toMillis() + " ms"));
    }

    private Fate fate(TaskId id) {
        Fate fate = fates.get(id);
        if (fate == null) {
            complain("nobody enqueued " + id);
            return new Fate();
        }
        return fate;
    }
}
