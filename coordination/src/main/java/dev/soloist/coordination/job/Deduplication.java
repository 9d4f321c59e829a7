package dev.soloist.coordination.job;

import java.time.Duration;

/**
 * How long a key that was accepted is refused. Immutable.
 *
 * @param window counted from the acceptance
 * @param localCache whether a pod may answer from its own memory; it only saves round trips
 * @param releaseOn what frees the key before the window is over
 */
public record Deduplication(Duration window, boolean localCache, ReleaseOn releaseOn) {}
