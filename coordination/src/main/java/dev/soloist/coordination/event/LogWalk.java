package dev.soloist.coordination.event;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One log on a way through it, read a piece at a time: what is held of it at once is bounded, however long it is and however
 * much is wanted. For one thread.
 */
final class LogWalk {

    private final int number;
    private final EventLog log;
    private final int piece;
    private final Deque<LoggedEvent> ahead = new ArrayDeque<>();
    private EventId read;
    private boolean isMoreKept = true;
    private boolean gap;
    private long kept;

    LogWalk(int number, EventLog log, EventId after, int piece) {
        this.number = number;
        this.log = log;
        this.read = after;
        this.piece = piece;
    }

    /** Sees to it that the next event is at hand if there is one; an answer only where there is no log. */
    EventPage.@Nullable Off look() {
        if (!ahead.isEmpty() || !isMoreKept) {
            return null;
        }
        return switch (log.after(read, piece)) {
            case EventPage.Off off -> off;
            case EventPage.Events page -> {
                gap |= page.gap();
                kept = page.kept();
                ahead.addAll(page.events());
                if (!ahead.isEmpty()) {
                    read = ahead.getLast().id();
                }
                isMoreKept = !ahead.isEmpty() && !read.equals(page.newest());
                yield null;
            }
        };
    }

    /** The next event, as far as {@link #look} has found one. */
    @Nullable
    JobEvent next() {
        var next = ahead.peek();
        return next == null ? null : new JobEvent(number, next);
    }

    void pass() {
        ahead.remove();
    }

    boolean hasMore() {
        return !ahead.isEmpty() || isMoreKept;
    }

    boolean hasGap() {
        return gap;
    }

    long kept() {
        return kept;
    }
}
