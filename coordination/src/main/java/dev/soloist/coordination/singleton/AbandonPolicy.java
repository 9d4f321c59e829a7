package dev.soloist.coordination.singleton;

/** What becomes of a slot whose holder fell silent. */
public enum AbandonPolicy {
    /** Run it again after a back-off, up to the misses allowed; then as {@link #SKIP}. */
    RETRY,
    /** Wait for the next slot. */
    SKIP
}
