package dev.soloist.coordination.link;

/**
 * Nothing to connect with.
 *
 * @param why a sentence for people: what is missing or wrong, and where
 */
public record NoSettings(String why) implements StoreSettings {}
