package dev.soloist.coordination.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What callers were told is true: an accepted task is there until it is done, dead or cancelled, and is never handed out again after
 * somebody was told that it is cancelled; a caller knows of every task that it holds.
 */
final class PromiseRule implements Rule {

    /** Between the moment of the server and the estimate of a caller, in microseconds. */
    private static final long CLOCKS = 2_000;

    private final Violations violations;
    private final Map<String, Event.Promised> promised = new HashMap<>();
    private final Map<String, Event.Withdrawn> withdrawn = new HashMap<>();
    private final Map<String, Long> stored = new HashMap<>();
    private final Map<String, List<Event.Delivered>> batches = new HashMap<>();
    /** The nonce of the newest batch of each job and instance: a request that is repeated after another's gets nothing more. */
    private final Map<String, String> newest = new HashMap<>();

    private long lostAt = Long.MIN_VALUE;
    private final Set<String> purged = new HashSet<>();
    /** Jobs that forget what has ended while the history goes on, and tasks of theirs that have ended last. */
    private final Set<String> forgetful = new HashSet<>();

    private final Set<String> ended = new HashSet<>();

    PromiseRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Promised e -> {
                // Asked before data were lost and answered after it: what was promised may be among the lost.
                if (e.asked() > lostAt) {
                    promised.putIfAbsent(key(e.job(), e.id()), e);
                }
            }
            case Event.Withdrawn e -> {
                // Stored again while the answer was on its way: that is another life of the id.
                if (stored.getOrDefault(key(e.job(), e.id()), 0L) < e.asked()) {
                    withdrawn.put(key(e.job(), e.id()), e);
                }
            }
            case Event.Stored e -> {
                stored.put(key(e.job(), e.id()), e.at());
                withdrawn.remove(key(e.job(), e.id()));
                ended.remove(key(e.job(), e.id()));
            }
            case Event.Remembered e -> forgetful.add(e.job());
            case Event.Acked e when forgetful.contains(e.job()) -> ended.add(key(e.job(), e.id()));
            case Event.Cancelled e when forgetful.contains(e.job()) -> ended.add(key(e.job(), e.id()));
            case Event.Purged e -> purged.add(key(e.job(), e.id()));
            case Event.Delivered e -> {
                Event.Withdrawn before = withdrawn.get(key(e.job(), e.id()));
                if (before != null && before.at() + CLOCKS < e.at()) {
                    violations.add(before, e, "handed out after somebody was told that it is cancelled");
                }
                String nonce = e.receipt().substring(0, Math.max(0, e.receipt().lastIndexOf(':')));
                batches.computeIfAbsent(nonce, _ -> new ArrayList<>()).add(e);
                newest.put(key(e.job(), e.instance()), nonce);
            }
            case Event.Received e -> {
                for (Event.Delivered task : batches.getOrDefault(e.nonce(), List.of())) {
                    boolean isNewest = e.nonce().equals(newest.get(key(task.job(), task.instance())));
                    if (isNewest
                            && task.deadline() * 1000 > e.at() + CLOCKS
                            && !e.ids().contains(task.id())) {
                        violations.add(task, e, "handed out to a caller that was not told of it");
                    }
                }
            }
            case Event.Found e -> {
                String key = key(e.job(), e.id());
                if (e.state().equals("ABSENT")
                        && promised.containsKey(key)
                        && !purged.contains(key)
                        && !ended.contains(key)) {
                    violations.add(e, "accepted and lost");
                }
            }
            case Event.Erased e -> forget(e.job());
            case Event.DataLost lost -> {
                lostAt = lost.at();
                promised.clear();
                withdrawn.clear();
            }
            default -> {}
        }
    }

    private void forget(String job) {
        promised.keySet().removeIf(key -> key.startsWith(job + " "));
        withdrawn.keySet().removeIf(key -> key.startsWith(job + " "));
    }

    private static String key(String job, String id) {
        return job + " " + id;
    }
}
