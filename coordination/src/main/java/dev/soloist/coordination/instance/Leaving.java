package dev.soloist.coordination.instance;

/** The answer to leaving. */
public enum Leaving {
    /** The instance is fenced, and anybody may adopt its segments at once. */
    LEFT,
    /** It is not listed. */
    GONE
}
