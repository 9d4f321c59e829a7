package dev.soloist.coordination.job;

/** How often a task is handed out. */
public enum Delivery {
    /** Until somebody has handled it. */
    AT_LEAST_ONCE,
    /** Never a second time: it is removed before its app sees it, and is lost if that fails. */
    AT_MOST_ONCE
}
