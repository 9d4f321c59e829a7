package dev.soloist.coordination.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A point in a job's log, from which it can be read on. A job whose tasks are spread over shards has a log in each of them, so its
 * points have a place in each. Immutable.
 *
 * @param elsewhere the place in every log that {@code places} does not name
 * @param places by the number of the log; a job has one, of number 0, unless its tasks are spread
 */
public record EventCursor(EventId elsewhere, SortedMap<Integer, EventId> places) {

    /** Before every event. */
    public static final EventCursor START = after(EventId.START);

    private static final Pattern PLACE = Pattern.compile("([0-9]{1,3}):(.+)");
    private static final int MOST_PLACES = 256;

    /** Copies the places. */
    public EventCursor {
        places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
    }

    /** A moment in every log; or, for an event, the point behind it in the log of number 0. */
    public static EventCursor after(EventId id) {
        var places = new TreeMap<Integer, EventId>();
        if (id.ordinal() > 0) {
            places.put(0, id);
        }
        return new EventCursor(id.ordinal() == 0 ? id : EventId.START, places);
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is no point
     */
    public static EventCursor parse(String text) {
        if (text.indexOf(':') < 0) {
            return after(EventId.parse(text));
        }
        var places = new TreeMap<Integer, EventId>();
        for (String piece : text.split(",", MOST_PLACES)) {
            var place = PLACE.matcher(piece);
            if (!place.matches()) {
                throw new IllegalArgumentException(
                        "a place in a log is its number, a colon and an event id, not " + piece);
            }
            places.put(Integer.valueOf(place.group(1)), EventId.parse(place.group(2)));
        }
        return new EventCursor(EventId.START, places);
    }

    EventId in(int log) {
        return places.getOrDefault(log, elsewhere);
    }

    /** One id if there is one log; else each log's number and id. */
    @Override
    public String toString() {
        if (places.isEmpty()) {
            return elsewhere.toString();
        }
        if (places.size() == 1 && places.containsKey(0)) {
            return places.get(0).toString();
        }
        var pieces = new ArrayList<String>();
        for (Map.Entry<Integer, EventId> place : places.entrySet()) {
            pieces.add(place.getKey() + ":" + place.getValue());
        }
        return String.join(",", pieces);
    }
}
