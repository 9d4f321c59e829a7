package dev.soloist.coordination.event;

import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptReply;
import dev.soloist.coordination.script.ScriptRunner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event log of one job, to be read. It is a Redis stream that scripts write in the step in which a run ends or a task dies, so
 * an event stands there once, if the step was done, and not at all else. Whoever remembers the last id it has seen reads on from
 * there after any pause. Thread-safe.
 */
public final class EventLog {

    /** As many events are read at once at most. */
    public static final int PAGE = 1000;

    private static final LuaScript READ = LuaScript.load(EventLog.class, "read.lua", 1, 2);
    private static final LuaScript COPY = LuaScript.load(EventLog.class, "copy.lua", 1, LuaScript.ANY);
    private static final String NEWEST = "";
    private static final int COPIED_AT_ONCE = 200;

    private final ScriptRunner scripts;
    private final String key;

    /** The log under a key. */
    public EventLog(ScriptRunner scripts, String key) {
        this.scripts = scripts;
        this.key = key;
    }

    /**
     * Reads what is kept after a point.
     *
     * @param after an id that was read before, whether its event is still kept or not; or, with the ordinal 0, a moment;
     *     {@link EventId#START} for all
     * @param max 1 to {@link #PAGE}
     */
    public EventPage after(EventId after, int max) {
        ScriptReply reply = scripts.run(READ, List.of(key), after.toString(), check(max));
        return page(reply, after);
    }

    /**
     * Reads the newest events, given in order all the same.
     *
     * @param max 1 to {@link #PAGE}
     */
    public EventPage newest(int max) {
        return page(scripts.run(READ, List.of(key), NEWEST, check(max)), null);
    }

    /**
     * Writes these events into another log of the same job as well, under the ids they have, so that whoever has read some reads on
     * there; page by page, the oldest first. May be repeated: what is there already is passed over.
     *
     * @param keep the length of the other one; 0 copies nothing
     */
    public void copyTo(EventLog other, int keep) {
        if (keep < 1) {
            return;
        }
        String after = EventId.START.toString();
        while (true) {
            ScriptReply page = scripts.run(READ, List.of(key), after, COPIED_AT_ONCE);
            if (!page.status().equals("OK") || page.array(4).size() == 0) {
                return;
            }
            List<Object> arguments = new ArrayList<>(List.of(keep));
            for (int i = 0; i < page.array(4).size(); i++) {
                ScriptReply row = page.array(4).array(i);
                ScriptReply texts = row.array(1);
                after = row.text(0);
                arguments.add(after);
                arguments.add(texts.size());
                for (int text = 0; text < texts.size(); text++) {
                    arguments.add(texts.bytes(text));
                }
            }
            other.scripts.run(COPY, List.of(other.key), arguments);
        }
    }

    static int check(int max) {
        if (max < 1 || max > PAGE) {
            throw new IllegalArgumentException("max is 1 to " + PAGE + ", not " + max);
        }
        return max;
    }

    private static EventPage page(ScriptReply reply, @Nullable EventId after) {
        return switch (reply.status()) {
            case "OK" -> {
                var events = events(reply.array(4));
                if (after == null) {
                    Collections.reverse(events);
                }
                EventId oldest = id(reply.text(2));
                EventId newest = id(reply.text(3));
                boolean gap =
                        after != null && (after.ordinal() == 0 ? isGap(after, oldest) : isGap(after, events, newest));
                yield new EventPage.Events(events, reply.number(1), oldest, newest, gap);
            }
            case "OFF" -> new EventPage.Off(reply.text(1));
            default -> throw reply.unknownStatus();
        };
    }

    /** Whether something may be missing that came after a moment. */
    private static boolean isGap(EventId moment, @Nullable EventId oldest) {
        return oldest != null && moment.compareTo(oldest) < 0 && oldest.ordinal() > 1;
    }

    /** Whether something is missing that came after an event. A log that was lost and begun anew counts from one again. */
    private static boolean isGap(EventId seen, List<LoggedEvent> next, @Nullable EventId newest) {
        return next.isEmpty() ? !seen.equals(newest) : next.getFirst().id().ordinal() != seen.ordinal() + 1;
    }

    private static List<LoggedEvent> events(ScriptReply rows) {
        var events = new ArrayList<LoggedEvent>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            ScriptReply row = rows.array(i);
            events.add(EventFields.read(EventId.parse(row.text(0)), row.array(1)));
        }
        return events;
    }

    private static @Nullable EventId id(String text) {
        return text.isEmpty() ? null : EventId.parse(text);
    }
}
