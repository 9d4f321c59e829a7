package dev.soloist.coordination.job;

/** What becomes of a singleton's runs on a store that may lose a lease by itself. */
public enum Safety {
    /** None starts. */
    STRICT,
    /** They start; somebody is warned. */
    LENIENT
}
