package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What producers were promised and what holders saw, and every broken promise. Thread-safe. */
final class TaskLedger {

    /** One id's history, as seen from outside. */
    private static final class Fate {
        final AtomicReference<@Nullable Instant> promised = new AtomicReference<>();
        final AtomicReference<@Nullable Receipt> ackedBy = new AtomicReference<>();
        final AtomicReference<@Nullable Long> ended = new AtomicReference<>();
        final Set<Receipt> receipts = ConcurrentHashMap.newKeySet();
        volatile boolean meddledWith;
    }

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

    void accepted(TaskId id, Enqueue.Accepted answer) {
        Fate fate = fate(id);
        if (!fate.promised.compareAndSet(null, answer.dueAt())
                && !answer.dueAt().equals(fate.promised.get())
                && !fate.meddledWith) {
            complain(id + " was promised for " + fate.promised.get() + " and then for " + answer.dueAt());
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
        Instant promised = fate.promised.get();
        if (task.attempt() == 1
                && promised != null
                && !fate.meddledWith
                && task.dueAt().isBefore(promised)) {
            complain(task.id() + " was promised for " + promised + " and due at " + task.dueAt());
        }
        Long ended = fate.ended.get();
        if (ended != null && sentNanos - ended > 0) {
            complain(task.id() + " was delivered after its end");
        }
        if (fate.receipts.add(task.receipt())) {
            deliveries.incrementAndGet();
        }
    }

    void acked(ReservedTask task, Ack answer, long heldSinceNanos, Duration visibility) {
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
            case STALE -> withinVisibility(task, "acknowledging", heldSinceNanos, visibility);
        }
    }

    void givenBack(ReservedTask task, GivenBack answer, long heldSinceNanos, Duration visibility) {
        switch (answer) {
            case CANCELLED -> cancelled(task.id());
            case STALE -> withinVisibility(task, "giving back", heldSinceNanos, visibility);
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
    private void withinVisibility(ReservedTask task, String when, long heldSinceNanos, Duration visibility) {
        long held = System.nanoTime() - heldSinceNanos;
        if (held < visibility.toNanos()) {
            complain(task.id() + " was taken from its holder, attempt " + task.attempt() + ", before " + when
                    + " after " + held / 1_000_000 + " ms");
        }
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
