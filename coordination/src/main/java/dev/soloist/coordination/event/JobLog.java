package dev.soloist.coordination.event;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

    /** As many events lie ready, of all logs together, before the next of them is chosen. */
    private static final int AHEAD = 512;

    /** Fewer at a time would cost a round trip for almost every event. */
    private static final int LEAST_PIECE = 8;

    /** A page ends behind the event that fills this up, though more were wanted. */
    private static final int PAGE_CHARACTERS = 512 * 1024;

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
     * Reads what is kept after a point. The page is shorter than wanted where its texts are long: what is held in memory for an
     * answer is bounded, however many logs there are and whatever stands in them.
     *
     * @param max 1 to {@link EventLog#PAGE}
     */
    public JobEvents after(EventCursor cursor, int max) {
        int all = span.getAsInt();
        int piece = Math.clamp(AHEAD / all, LEAST_PIECE, Math.max(LEAST_PIECE, EventLog.check(max)));
        var walks = IntStream.range(0, all)
                .mapToObj(number -> new LogWalk(number, logs.apply(number), cursor.in(number), piece))
                .toList();
        var page = new ArrayList<JobEvent>();
        int room = PAGE_CHARACTERS;
        while (page.size() < max && room > 0) {
            @Nullable LogWalk first = null;
            for (var walk : walks) {
                if (walk.look() instanceof EventPage.Off(String reason)) {
                    return new JobEvents.Off(reason);
                }
                first = earlier(first, walk);
            }
            if (first == null) {
                break;
            }
            var event = Objects.requireNonNull(first.next());
            first.pass();
            page.add(event);
            room -= event.event().length();
        }
        return new JobEvents.Page(
                page,
                next(cursor, page, all),
                walks.stream().anyMatch(LogWalk::hasMore),
                walks.stream().anyMatch(LogWalk::hasGap),
                walks.stream().mapToLong(LogWalk::kept).sum());
    }

    private static @Nullable LogWalk earlier(@Nullable LogWalk one, LogWalk other) {
        var theirs = other.next();
        var ours = one == null ? null : one.next();
        if (theirs == null) {
            return one;
        }
        return ours == null || BY_MOMENT.compare(theirs, ours) < 0 ? other : one;
    }

    /**
     * Reads the newest events, given in order all the same, and the point behind them.
     *
     * @param max few: so many are read of each log
     */
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

    private static EventCursor next(EventCursor cursor, List<JobEvent> page, int logs) {
        var places = new TreeMap<Integer, EventId>();
        for (int number = 0; number < logs; number++) {
            places.put(number, cursor.in(number));
        }
        page.forEach(one -> places.put(one.log(), one.event().id()));
        return new EventCursor(cursor.elsewhere(), places);
    }
}
