package dev.soloist.coordination.job;

import java.time.Duration;

/**
 * How long work of one key is not taken twice. Immutable.
 *
 * @param window counted from the acceptance; a task that lives longer keeps its key until it ends
 * @param localCache whether a pod may answer from its own memory what cannot change any more; it only saves round trips
 * @param releaseOn what becomes of the key when the task dies
 */
public record Deduplication(Duration window, boolean localCache, ReleaseOn releaseOn) {}
