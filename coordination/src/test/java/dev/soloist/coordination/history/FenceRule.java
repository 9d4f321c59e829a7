package dev.soloist.coordination.history;

import java.util.HashMap;
import java.util.Map;

/** Every grant of a job has a fence above all earlier ones, also over deletion, re-creation and lost data. */
final class FenceRule implements Rule {

    private static final long NEAR_MICROS = 10_000_000;

    /** A server may have to wait for a processor between its look at the clock and its word of the command. */
    private static final long STALL_MICROS = 10_000_000;

    private final Violations violations;
    private final Map<String, Event.Granted> last = new HashMap<>();
    private final Map<String, Long> deletedAt = new HashMap<>();
    private long lostAt = Long.MIN_VALUE;

    FenceRule(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void see(Event event) {
        switch (event) {
            case Event.DataLost lost -> lostAt = lost.at();
            case Event.Planned planned
            when planned.state().equals("DELETED") -> deletedAt.put(planned.job(), planned.at());
            case Event.RunOver over when over.state().equals("DELETED") -> deletedAt.put(over.job(), over.at());
            default -> {}
        }
        if (event instanceof Event.Granted granted) {
            Event.Granted before = last.put(granted.job(), granted);
            if (before != null && !rose(before, granted)) {
                violations.add(before, granted, "the fence did not rise");
            }
            if (granted.sequence() > granted.at() + STALL_MICROS) {
                violations.add(granted, "the fence runs ahead of the clock, so it falls back when data is lost");
            }
            if (granted.sequence() < granted.at() - STALL_MICROS) {
                violations.add(granted, "the fence is behind the clock, so it falls back when data is lost");
            }
        }
    }

    /**
     * The term of a deleted job lives on in Redis only: lost together with the data, its namesake may begin below it, and then only
     * the sequence rises.
     */
    private boolean rose(Event.Granted before, Event.Granted after) {
        boolean lost = before.at() <= lostAt && deletedAt.getOrDefault(after.job(), 0L) > lostAt - NEAR_MICROS;
        return lost ? before.sequence() < after.sequence() : before.fence().compareTo(after.fence()) < 0;
    }
}
