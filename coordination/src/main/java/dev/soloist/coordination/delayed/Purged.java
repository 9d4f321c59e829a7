package dev.soloist.coordination.delayed;

/**
 * What a purge forgot; bounded per call, so call again while it is not nought. Immutable.
 *
 * @param finished ids whose retention was over
 * @param dead dead tasks that were too old or too many
 */
public record Purged(int finished, int dead) {}
