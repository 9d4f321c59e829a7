package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Of a job that delivers at most once: no task is given to its app by two receipts in one life, which begins with each time that it is
 * recorded. Of other jobs no such event is told.
 */
final class OnceRule implements Rule {

    private final Violations violations;
    private final Map<String, Integer> lives = new HashMap<>();
    private final Map<String, String> lifeOfReceipt = new HashMap<>();
    private final Set<String> given = new HashSet<>();

    OnceRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Stored e -> lives.merge(e.job() + " " + e.id(), 1, Integer::sum);
            case Event.Delivered e -> lifeOfReceipt.put(e.receipt(), life(e.job() + " " + e.id()));
            case Event.GivenOnce e -> {
                String life = lifeOfReceipt.get(e.receipt());
                if (life != null && !given.add(life)) {
                    violations.add(e, "given to its app a second time though it is to come at most once");
                }
            }
            case Event.DataLost _ -> {
                lifeOfReceipt.clear();
                given.clear();
            }
            default -> {}
        }
    }

    private String life(String task) {
        return task + " " + lives.getOrDefault(task, 0);
    }
}
