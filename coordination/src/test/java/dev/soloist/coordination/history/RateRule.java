package dev.soloist.coordination.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** In no span of the length that the limit names begin more tasks of a job than it says, whoever takes them; what never reached its app has not begun. */
final class RateRule implements Rule {

    private final Violations violations;
    private final Map<String, Deque<Long>> starts = new HashMap<>();

    RateRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.Begun e -> begun(e);
            case Event.NotBegun e ->
                starts.getOrDefault(e.job(), new ArrayDeque<>()).removeFirstOccurrence(e.moment());
            case Event.Erased e -> starts.remove(e.job());
            case Event.DataLost _ -> starts.clear();
            default -> {}
        }
    }

    private void begun(Event.Begun e) {
        Deque<Long> within = starts.computeIfAbsent(e.job(), _ -> new ArrayDeque<>());
        within.removeIf(moment -> moment + e.per() < e.moment());
        for (int i = 0; i < e.count(); i++) {
            within.add(e.moment());
        }
        if (within.size() > e.max()) {
            violations.add(e, within.size() + " tasks began within one span");
        }
    }
}
