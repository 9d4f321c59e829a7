package dev.soloist.coordination.singleton;

/** What taking a lease from a dead instance did. */
public sealed interface Reclaim {
    /** Its run was ended; {@code READY} means that another instance may claim at once. */
    record Reclaimed(SingletonState state) implements Reclaim {}

    /** That instance does not hold that fence. */
    record NotHeld() implements Reclaim {}
}
