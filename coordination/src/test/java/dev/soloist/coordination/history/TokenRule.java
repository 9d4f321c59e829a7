package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** At any moment a job has at most one token, of its own generation, and none but when it is ready; a lock only with a run. */
final class TokenRule implements Rule {

    private static final int NO_LOCK = -2;

    private final Violations violations;
    private final Map<String, String> unlocked = new HashMap<>();
    private final Map<String, Long> byHand = new HashMap<>();

    TokenRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        if (event instanceof Event.LockedByHand hand) {
            byHand.merge(hand.job(), hand.latest(), Math::max);
        }
        if (!(event instanceof Event.Looked looked)) {
            return;
        }
        boolean ready = looked.state().equals("READY");
        if (looked.tokens().size() > 1) {
            violations.add(looked, "more than one token");
        } else if (ready && !looked.tokens().equals(List.of(looked.generation()))) {
            violations.add(looked, "a ready job without its token");
        } else if (!ready && !looked.tokens().isEmpty()) {
            violations.add(looked, "a token of a job that is not ready");
        }
        if (looked.lockMillis() == -1) {
            violations.add(looked, "a lock without an end");
        }
        boolean byHand = looked.at() / 1000 < this.byHand.getOrDefault(looked.job(), 0L) + 100;
        if (looked.lockMillis() != NO_LOCK && !looked.state().equals("RUNNING") && !byHand) {
            // Said once a job: it stands until it ends.
            if (unlocked.put(looked.job(), looked.generation()) == null) {
                violations.add(looked, "a lock without a run");
            }
        }
    }
}
