package dev.soloist.coordination.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** No two holders take themselves for the valid one at the same moment of one machine's monotonic clock. */
final class BeliefRule implements Rule {

    private final Violations violations;
    private final Map<String, List<Event.Believed>> beliefs = new HashMap<>();

    BeliefRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Believed belief ->
                beliefs.computeIfAbsent(belief.job(), _ -> new ArrayList<>()).add(belief);
            case Event.DataLost _ -> end();
            default -> {}
        }
    }

    @Override
    public void end() {
        beliefs.values().forEach(this::check);
        beliefs.clear();
    }

    private void check(List<Event.Believed> ofJob) {
        ofJob.sort(Comparator.comparingLong(Event.Believed::fromNanos));
        for (int i = 1; i < ofJob.size(); i++) {
            Event.Believed before = ofJob.get(i - 1);
            Event.Believed after = ofJob.get(i);
            if (after.fromNanos() - before.untilNanos() < 0) {
                violations.add(before, after, "two valid holders at once");
            }
        }
    }
}
