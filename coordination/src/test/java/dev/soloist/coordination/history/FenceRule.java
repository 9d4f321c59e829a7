package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.Map;

/** Every grant of a job has a fence above all earlier ones, also over deletion, re-creation and lost data. */
final class FenceRule implements Rule {

    private final Violations violations;
    private final Map<String, Event.Granted> last = new HashMap<>();

    FenceRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        if (event instanceof Event.Granted granted) {
            Event.Granted before = last.put(granted.job(), granted);
            if (before != null && granted.fence().compareTo(before.fence()) <= 0) {
                violations.add(before, granted, "the fence did not rise");
            }
            if (sequence(granted) > granted.at() + 1_000_000) {
                violations.add(granted, "the fence runs ahead of the clock, so it falls back when data is lost");
            }
            if (sequence(granted) < granted.at() - 1_000_000) {
                violations.add(granted, "the fence is behind the clock, so it falls back when data is lost");
            }
        }
    }

    private static long sequence(Event.Granted granted) {
        return Long.parseLong(granted.fence().substring(granted.fence().indexOf('-') + 1));
    }
}
