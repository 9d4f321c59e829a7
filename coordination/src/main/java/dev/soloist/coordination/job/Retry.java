package dev.soloist.coordination.job;

import dev.soloist.coordination.loop.Backoff;

/**
 * What follows a failed run of a singleton job. Immutable.
 *
 * @param limit how many further attempts the same slot gets; 0 for none
 * @param backoff the waits between them
 */
public record Retry(int limit, Backoff backoff) {}
