package dev.soloist.coordination.job;

import java.time.Duration;

/**
 * How many tasks all pods together may begin within any span of a length. Immutable.
 *
 * @param max beginnings within a span
 * @param per the length of the span
 */
public record RateLimit(int max, Duration per) {}
