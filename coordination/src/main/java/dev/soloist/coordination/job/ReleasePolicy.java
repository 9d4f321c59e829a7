package dev.soloist.coordination.job;

/** How soon after a run the next one may start. */
public enum ReleasePolicy {
    /** As soon as it is due, also when triggered by hand. */
    ON_COMPLETION,
    /** Not before the next slot, unless forced. */
    HOLD_UNTIL_NEXT_RUN,
    /** Not before a given span after the start of the run. */
    HOLD_FOR
}
