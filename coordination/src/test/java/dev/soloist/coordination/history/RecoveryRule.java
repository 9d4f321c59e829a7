package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.Map;

/** After the faults have stopped every job runs again, and what is due is handed out within a bound. */
final class RecoveryRule implements Rule {

    private final Violations violations;
    private final Map<String, Event.Granted> grants = new HashMap<>();
    private final Map<String, Long> waiting = new HashMap<>();
    private long calm = Long.MAX_VALUE;

    RecoveryRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Calm e -> calm = e.at();
            case Event.Granted e -> grants.put(e.job(), e);
            case Event.Stored e -> waiting.put(key(e.job(), e.id()), e.due());
            case Event.Replanned e -> waiting.put(key(e.job(), e.id()), e.due());
            case Event.Returned e -> waiting.put(key(e.job(), e.id()), e.due());
            case Event.Delivered e -> waiting.put(key(e.job(), e.id()), e.deadline());
            case Event.Held e -> waiting.computeIfPresent(key(e.job(), e.id()), (_, _) -> e.deadline());
            case Event.Acked e -> waiting.remove(key(e.job(), e.id()));
            case Event.Died e -> waiting.remove(key(e.job(), e.id()));
            case Event.Cancelled e -> waiting.remove(key(e.job(), e.id()));
            case Event.Erased e -> waiting.keySet().removeIf(key -> key.startsWith(e.job() + " "));
            case Event.DataLost _ -> waiting.clear();
            case Event.End e -> end(e);
            default -> {}
        }
    }

    private void end(Event.End end) {
        for (String job : end.jobs()) {
            Event.Granted last = grants.get(job);
            if (last == null || last.at() < calm) {
                violations.add(end, job + " did not run again after the faults");
            }
        }
        waiting.forEach((task, since) -> {
            if (Math.max(since, calm / 1000) + end.withinMillis() < end.at() / 1000) {
                violations.add(end, task + " was due or overdue at " + since + " and is still there");
            }
        });
    }

    private static String key(String job, String id) {
        return job + " " + id;
    }
}
