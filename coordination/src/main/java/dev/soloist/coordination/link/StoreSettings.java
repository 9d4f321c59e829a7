package dev.soloist.coordination.link;

/** What is known of a store at one moment: how to reach it, or why that is not known. Immutable. */
public sealed interface StoreSettings permits RedisSettings, NoSettings {}
