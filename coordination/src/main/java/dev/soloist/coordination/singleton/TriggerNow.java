package dev.soloist.coordination.singleton;

import java.time.Instant;

/** The answer to the wish to run now. */
public sealed interface TriggerNow {
    /** It is ready to be claimed. */
    record Triggered(Instant due) implements TriggerNow {}

    /** A run is in progress; another follows it. */
    record AfterRun() implements TriggerNow {}

    /**
     * Nothing was done.
     *
     * @param until end of the hold for {@link Reason#NOT_BEFORE}, else {@link Instant#EPOCH}
     */
    record Refused(Reason reason, Instant until) implements TriggerNow {}

    /** Why not. */
    enum Reason {
        PAUSED,
        DELETED,
        /** The release policy holds the job; force goes past it. */
        NOT_BEFORE,
        ABSENT
    }
}
