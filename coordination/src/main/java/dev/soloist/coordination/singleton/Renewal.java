package dev.soloist.coordination.singleton;

import java.time.Duration;

/** Whether a lease goes on. */
public sealed interface Renewal {
    /**
     * It does.
     *
     * @param remaining counted from when the call was sent
     * @param cancelRequested whether this very run is to be stopped
     */
    record Renewed(Duration remaining, boolean cancelRequested) implements Renewal {}

    /** It is over for good: stop the work, then finish it as aborted. */
    record Lost(Cause cause) implements Renewal {}

    /** What was lost. */
    enum Cause {
        /** The record shows another run or none. */
        RECORD,
        /** The record still shows this run, but the lease has lapsed. */
        LEASE
    }
}
