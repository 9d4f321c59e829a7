package dev.soloist.coordination.singleton;

/** What telling the record of a specification did. */
public sealed interface SpecUpdate {
    /** The schedule is as it was, or there is no living record; the next slot stays. */
    record Unchanged() implements SpecUpdate {}

    /** The next slot is the one given. */
    record Updated() implements SpecUpdate {}

    /** A run is in progress; after it comes the slot given. */
    record AfterRun() implements SpecUpdate {}
}
