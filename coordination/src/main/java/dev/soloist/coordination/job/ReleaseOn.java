package dev.soloist.coordination.job;

/** Which end of a task lets its deduplication key be used again before the window is over. */
public enum ReleaseOn {
    /** Only success: while the task fails, and after it is dead, the key stays taken. */
    SUCCESS,
    /** Any end: success, dead letter or cancellation. */
    TERMINAL
}
