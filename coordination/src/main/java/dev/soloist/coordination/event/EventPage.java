package dev.soloist.coordination.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of reading a log. Immutable. */
public sealed interface EventPage {

    /**
     * Events in the order of their ids, the oldest first.
     *
     * @param events nothing that is kept stands between two of them, or between the first and the point asked for
     * @param kept how many the log holds
     * @param oldest that is kept; null if none is
     * @param newest that is kept; null if none is
     * @param gap whether events after the point asked for have been trimmed away, or the log was lost and begun anew
     */
    record Events(
            List<LoggedEvent> events,
            long kept,
            @Nullable EventId oldest,
            @Nullable EventId newest,
            boolean gap) implements EventPage {

        /** Checks nothing, copies. */
        public Events {
            events = List.copyOf(events);
        }
    }

    /** There is no log on this store. */
    record Off(String reason) implements EventPage {}
}
