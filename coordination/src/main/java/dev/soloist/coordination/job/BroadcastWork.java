package dev.soloist.coordination.job;

/** Messages to every pod that is there, each at most once. Immutable. */
public record BroadcastWork() implements Work {}
