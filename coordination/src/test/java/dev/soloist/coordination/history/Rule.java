package dev.soloist.coordination.history;

/** One rule that a history keeps or breaks. Sees the events in order, once. */
interface Rule {

    /** Looks at the next event. */
    void see(Event event);

    /** Called after the last event. */
    default void end() {}
}
