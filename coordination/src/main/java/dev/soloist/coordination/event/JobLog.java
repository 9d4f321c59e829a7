package dev.soloist.coordination.event;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * The events of one job, to be read: those of its one log, or of the logs of all shards that its tasks are spread over, in the order
 * of their moments. From a point that this class named nothing is passed over that is still kept, whatever the shards' clocks say.
 * Thread-safe.
 */
public final class JobLog {

    private static final Comparator<JobEvent> BY_MOMENT = Comparator.<JobEvent>comparingLong(
                    one -> one.event().id().millis())
            .thenComparingInt(JobEvent::log)
            .thenComparingLong(one -> one.event().id().ordinal());

    private final IntSupplier span;
    private final IntFunction<EventLog> logs;

    /**
     * The logs of a job.
     *
     * @param span how many logs there are, asked at each call
     * @param logs by number, from 0
     */
    public JobLog(IntSupplier span, IntFunction<EventLog> logs) {
        this.span = span;
        this.logs = logs;
    }

    /** The log of a job that has one. */
    public JobLog(EventLog only) {
        this(() -> 1, _ -> only);
    }

    /**
     * Reads what is kept after a point.
     *
     * @param max 1 to {@link EventLog#PAGE}
     */
    public JobEvents after(EventCursor cursor, int max) {
        var reads = new ArrayList<EventPage.Events>();
        for (int number = 0, all = span.getAsInt(); number < all; number++) {
            switch (logs.apply(number).after(cursor.in(number), max)) {
                case EventPage.Events page -> reads.add(page);
                case EventPage.Off(String reason) -> {
                    return new JobEvents.Off(reason);
                }
            }
        }
        List<JobEvent> found = merged(reads);
        List<JobEvent> page = found.subList(0, Math.min(max, found.size()));
        return new JobEvents.Page(
                page,
                next(cursor, page, reads.size()),
                found.size() > page.size() || reads.stream().anyMatch(JobLog::hasMore),
                reads.stream().anyMatch(EventPage.Events::gap),
                reads.stream().mapToLong(EventPage.Events::kept).sum());
    }

    /** Reads the newest events, given in order all the same, and the point behind them. */
    public JobEvents newest(int max) {
        var reads = new ArrayList<EventPage.Events>();
        for (int number = 0, all = span.getAsInt(); number < all; number++) {
            switch (logs.apply(number).newest(max)) {
                case EventPage.Events page -> reads.add(page);
                case EventPage.Off(String reason) -> {
                    return new JobEvents.Off(reason);
                }
            }
        }
        List<JobEvent> found = merged(reads);
        var places = new TreeMap<Integer, EventId>();
        for (int number = 0; number < reads.size(); number++) {
            var newest = reads.get(number).newest();
            if (newest != null) {
                places.put(number, newest);
            }
        }
        return new JobEvents.Page(
                found.subList(Math.max(0, found.size() - max), found.size()),
                new EventCursor(EventId.START, places),
                false,
                false,
                reads.stream().mapToLong(EventPage.Events::kept).sum());
    }

    private static List<JobEvent> merged(List<EventPage.Events> reads) {
        var all = new ArrayList<JobEvent>();
        for (int number = 0; number < reads.size(); number++) {
            for (LoggedEvent event : reads.get(number).events()) {
                all.add(new JobEvent(number, event));
            }
        }
        all.sort(BY_MOMENT);
        return all;
    }

    private static boolean hasMore(EventPage.Events page) {
        return !page.events().isEmpty() && !page.events().getLast().id().equals(page.newest());
    }

    private static EventCursor next(EventCursor cursor, List<JobEvent> page, int logs) {
        var places = new TreeMap<Integer, EventId>();
        for (int number = 0; number < logs; number++) {
            places.put(number, cursor.in(number));
        }
        page.forEach(one -> places.put(one.log(), one.event().id()));
        return new EventCursor(cursor.elsewhere(), places);
    }
}
