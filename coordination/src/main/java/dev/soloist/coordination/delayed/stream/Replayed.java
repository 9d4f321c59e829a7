package dev.soloist.coordination.delayed.stream;

import java.time.Instant;

/**
 * What a replay did. Immutable.
 *
 * @param tasks made ready again
 * @param alive left alone, because a task of that id waits, is held or is dead
 * @param repeated made ready by the same request before
 * @param full whether it ended early, because the queue holds as many tasks as it may; repeat it later
 * @param until up to when
 */
public record Replayed(long tasks, long alive, long repeated, boolean full, Instant until) implements Replay {}
