package dev.soloist.coordination.singleton;

import java.time.Duration;

/** How far a job's state has left its place for another back end. */
public sealed interface Moving {

    /**
     * It is away, or was never here.
     *
     * @param carried what it knew, until that is forgotten here; else nothing
     */
    record Away(Carried carried) implements Moving {}

    /**
     * A run is in progress and goes on; no other begins here.
     *
     * @param remaining of its lease, at most
     */
    record AfterRun(Duration remaining) implements Moving {}

    /** This very object was ended here. */
    record Gone() implements Moving {}

    /** What lives here is a namesake's. */
    record Namesake(String uid) implements Moving {}
}
