package dev.soloist.coordination.event;

import java.util.List;

/** What came of reading a job's events. Immutable. */
public sealed interface JobEvents {

    /**
     * Events in the order of their moments.
     *
     * @param next the point to read on from
     * @param more whether more are kept behind these
     * @param gap whether events after the point asked for have been trimmed away, or a log was lost and begun anew
     * @param kept how many are kept in all
     */
    record Page(List<JobEvent> events, EventCursor next, boolean more, boolean gap, long kept) implements JobEvents {

        /** Copies the events. */
        public Page {
            events = List.copyOf(events);
        }
    }

    /** There is no log on this store. */
    record Off(String reason) implements JobEvents {}
}
