package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The life of every task, step by step: handed out only when it waits and is due, to one holder at a time; ended only by its holder,
 * by the sweep after the deadline, or by a cancellation; never handed out after its end; no attempt counted twice; a repeated request gets no second
 * batch, unless its copy comes after more batches of its instance than are remembered.
 */
final class TaskRule implements Rule {

    /** Of each instance the nonces of so many batches are known to the server, the latest among them. */
    private static final int BATCHES = 11;

    /** A server may have to wait so many ms for a processor between its look at the clock and its word of the command. */
    private static final long STALL = 10_000;

    private enum State {
        WAITING,
        HELD,
        DEAD,
        DONE,
        CANCELLED
    }

    private static final class Task {
        State state = State.WAITING;
        long due;
        int attempts;
        String receipt = "";
        long deadline;
        String request = "";
        boolean cancelAsked;
        long endedAt;
    }

    private final Violations violations;
    private final Map<String, Task> tasks = new HashMap<>();
    /** By job and instance the latest requests that got something, the newest last, and when. */
    private final Map<String, Map<String, Long>> batches = new HashMap<>();

    private final Map<String, Long> memory = new HashMap<>();
    private boolean forgetful;

    TaskRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Keyed e -> {
                Task task = tasks.get(key(e.job(), e.id()));
                if (task != null && task.state == State.DEAD && e.terminal()) {
                    // Its key is free, and so is its id: the dead letter gives way.
                    tasks.remove(key(e.job(), e.id()));
                }
            }
            case Event.Stored e -> stored(e);
            case Event.Replanned e -> {
                Task task = expect(e, e.job(), e.id(), State.WAITING, "another due for a task that does not wait");
                if (task != null) {
                    task.due = e.due();
                }
            }
            case Event.Delivered e -> delivered(e);
            case Event.Held e -> {
                Task task = expect(e, e.job(), e.id(), State.HELD, "kept longer by nobody's holder");
                if (task != null) {
                    if (!e.receipt().isEmpty() && !e.receipt().equals(task.receipt)) {
                        violations.add(e, "kept longer with an old receipt");
                    }
                    task.deadline = e.deadline();
                }
            }
            case Event.Acked e -> ended(e, e.job(), e.id(), e.receipt(), State.DONE);
            case Event.Returned e -> returned(e);
            case Event.Died e -> died(e);
            case Event.Cancelled e -> cancelled(e);
            case Event.CancelAsked e -> {
                Task task = expect(e, e.job(), e.id(), State.HELD, "a holder asked to stop that does not hold");
                if (task != null) {
                    task.cancelAsked = true;
                }
            }
            case Event.Purged e -> {
                if (expect(e, e.job(), e.id(), State.DEAD, "thrown away though not dead") != null) {
                    tasks.remove(key(e.job(), e.id()));
                }
            }
            case Event.Vanished e -> {
                Task task = tasks.get(key(e.job(), e.id()));
                if (task != null && task.state == State.HELD) {
                    violations.add(e, "taken from its holder and put nowhere");
                }
            }
            case Event.Remembered e -> memory.put(e.job(), e.millis());
            case Event.Erased e -> {
                tasks.keySet().removeIf(key -> key.startsWith(e.job() + " "));
                batches.keySet().removeIf(key -> key.startsWith(e.job() + " "));
            }
            case Event.DataLost _ -> {
                tasks.clear();
                batches.clear();
                forgetful = true;
            }
            default -> {}
        }
    }

    private void stored(Event.Stored e) {
        Task old = tasks.get(key(e.job(), e.id()));
        if (old != null) {
            switch (old.state) {
                case HELD -> violations.add(e, "overwritten in its holder's hands");
                case DEAD -> violations.add(e, "overwritten though dead");
                case WAITING -> {
                    if (!e.policy().equals("REPLACE")) {
                        violations.add(e, "overwritten against the policy");
                    }
                }
                case DONE, CANCELLED -> {
                    if (old.request.equals(e.request()) && isRemembered(e, old)) {
                        violations.add(e, "the same request came to life again after its end");
                    }
                }
            }
        }
        var task = new Task();
        task.due = e.due();
        task.request = e.request();
        tasks.put(key(e.job(), e.id()), task);
    }

    /** For half of the time at least: MONITOR tells the end later than its script wrote it, by as long as the server stood still. */
    private boolean isRemembered(Event.Stored e, Task ended) {
        Long millis = memory.get(e.job());
        return millis == null || e.at() / 1000 < ended.endedAt / 1000 + millis / 2;
    }

    private void delivered(Event.Delivered e) {
        Task task = tasks.get(key(e.job(), e.id()));
        if (task == null) {
            if (!forgetful) {
                violations.add(e, "handed out though nobody enqueued it");
            }
            task = new Task();
            task.attempts = e.attempt() - 1;
            tasks.put(key(e.job(), e.id()), task);
        }
        switch (task.state) {
            case HELD -> violations.add(e, "handed out twice at once, the other receipt is " + task.receipt);
            case DEAD, DONE, CANCELLED -> violations.add(e, "handed out after its end: " + task.state);
            case WAITING -> {
                if (task.due > e.at() / 1000) {
                    violations.add(e, "handed out before it was due at " + task.due);
                }
                if (e.attempt() != task.attempts + 1) {
                    violations.add(e, "handed out as another attempt than the one after " + task.attempts);
                }
            }
        }
        String nonce = e.receipt().substring(0, Math.max(0, e.receipt().lastIndexOf(':')));
        Map<String, Long> latest = batches.computeIfAbsent(key(e.job(), e.instance()), _ -> new LinkedHashMap<>());
        Long before = latest.putIfAbsent(nonce, e.at());
        if (before != null && before != e.at()) {
            violations.add(e, "one request was given two batches");
        }
        if (latest.size() > BATCHES) {
            latest.remove(latest.keySet().iterator().next());
        }
        if (e.deadline() + STALL <= e.at() / 1000) {
            violations.add(e, "handed out without a deadline");
        }
        task.state = State.HELD;
        task.receipt = e.receipt();
        task.attempts = e.attempt();
        task.deadline = e.deadline();
    }

    private void returned(Event.Returned e) {
        if (e.by().equals("requeue")) {
            Task dead = expect(e, e.job(), e.id(), State.DEAD, "given a new life though not dead");
            if (dead != null) {
                dead.state = State.WAITING;
                dead.due = e.due();
                dead.attempts = 0;
            }
            return;
        }
        Task task = taken(e, e.job(), e.id(), e.by(), e.receipt());
        if (task != null) {
            if (task.cancelAsked) {
                violations.add(e, "waits again though it is to be cancelled");
            }
            if (e.attempts() > task.attempts) {
                violations.add(e, "an attempt was counted twice");
            }
            task.state = State.WAITING;
            task.due = e.due();
            task.attempts = e.attempts();
        }
    }

    private void died(Event.Died e) {
        Task task = e.by().equals("reserve")
                ? expect(e, e.job(), e.id(), State.WAITING, "declared dead though it does not wait")
                : taken(e, e.job(), e.id(), e.by(), e.receipt());
        if (task != null) {
            task.state = State.DEAD;
        }
    }

    private void cancelled(Event.Cancelled e) {
        Task task = tasks.get(key(e.job(), e.id()));
        if (task == null) {
            return;
        }
        if (e.by().equals("cancel")) {
            if (task.state == State.HELD) {
                violations.add(e, "withdrawn in its holder's hands");
            }
            task.state = State.CANCELLED;
            task.endedAt = e.at();
        } else {
            ended(e, e.job(), e.id(), e.receipt(), State.CANCELLED);
        }
    }

    private void ended(Event e, String job, String id, String receipt, State end) {
        String by = e instanceof Event.Cancelled cancelled ? cancelled.by() : "ack";
        Task task = taken(e, job, id, by, receipt);
        if (task != null) {
            task.state = end;
            task.endedAt = e.at();
        }
    }

    /** The task that somebody takes from its holder's hands: the holder itself, or the sweep when it may. */
    private @Nullable Task taken(Event e, String job, String id, String by, String receipt) {
        Task task = expect(e, job, id, State.HELD, "ended or given back though nobody holds it");
        if (task == null) {
            return null;
        }
        if (by.equals("sweep")) {
            if (task.deadline > e.at() / 1000) {
                violations.add(e, "taken from its holder before its deadline at " + task.deadline);
            }
        } else if (!receipt.equals(task.receipt)) {
            violations.add(e, "ended or given back with an old receipt, the live one is " + task.receipt);
        }
        return task;
    }

    private @Nullable Task expect(Event e, String job, String id, State state, String otherwise) {
        Task task = tasks.get(key(job, id));
        if (task == null) {
            if (!forgetful) {
                violations.add(e, otherwise);
            }
            return null;
        }
        if (task.state != state) {
            violations.add(e, otherwise + " (" + task.state + ")");
        }
        return task;
    }

    private static String key(String job, String id) {
        return job + " " + id;
    }
}
