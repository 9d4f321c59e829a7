package dev.soloist.coordination.job;

/** What kind of work a job is. */
public sealed interface Work permits SingletonWork, DelayedWork, BroadcastWork {}
