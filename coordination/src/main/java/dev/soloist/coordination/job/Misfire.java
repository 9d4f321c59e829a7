package dev.soloist.coordination.job;

/** What happens to slots at which no run could start, when one can again. */
public enum Misfire {
    /** One run stands for all of them. */
    RUN_ONCE,
    /** They are passed over. */
    SKIP
}
