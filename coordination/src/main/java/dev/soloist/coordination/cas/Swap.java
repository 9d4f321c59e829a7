package dev.soloist.coordination.cas;

/** What the server said to a write that was to happen only if the value is still the expected one. */
public enum Swap {
    /** The value was the expected one; the write was done. */
    DONE,
    /** There is no such key; nothing was done. */
    ABSENT,
    /** The value is another one; nothing was done. */
    DIFFERS
}
