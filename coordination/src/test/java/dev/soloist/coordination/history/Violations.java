package dev.soloist.coordination.history;

import java.util.ArrayList;
import java.util.List;

/** What was found to be against the rules. */
final class Violations {

    private final List<String> found = new ArrayList<>();

    /** Notes a breach that an event shows. */
    void add(Event event, String what) {
        found.add("%s: %s".formatted(what, event));
    }

    /** Notes a breach that two events show together. */
    void add(Event before, Event after, String what) {
        found.add("%s: %s then %s".formatted(what, before, after));
    }

    List<String> all() {
        return List.copyOf(found);
    }
}
