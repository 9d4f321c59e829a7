package dev.soloist.coordination.history;

import java.util.List;
import java.util.Set;

/**
 * The documented reasons why a pod may act late: its sidecar was killed while the app went on, it was frozen, or the whole machine
 * stood still. A broken link is none. Immutable.
 */
final class Excuses {

    private static final Set<String> KINDS = Set.of("KILL", "FREEZE", "STALL");

    private final List<Event.Fault> faults;

    private Excuses(List<Event.Fault> faults) {
        this.faults = faults;
    }

    static Excuses of(List<Event> events) {
        return new Excuses(events.stream()
                .filter(event -> event instanceof Event.Fault fault && KINDS.contains(fault.kind()))
                .map(Event.Fault.class::cast)
                .toList());
    }

    /** Whether the pod was killed, frozen or starved at some moment of the span in microseconds. */
    boolean cover(String pod, long from, long until) {
        return faults.stream()
                .anyMatch(fault -> (fault.pod().equals(pod) || fault.pod().isEmpty())
                        && fault.at() <= until
                        && fault.until() >= from);
    }
}
