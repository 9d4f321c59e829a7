package dev.soloist.coordination.singleton;

/** What became of the wish to remove a lock that fits no run. */
public sealed interface Unlocking {

    /** There is no lock. */
    record NoLock() implements Unlocking {}

    /** The lock is the lease of the run in progress: it was left alone. */
    record Owned() implements Unlocking {}

    /**
     * There is a lock that fits no run, and it was left alone: nobody named it, or another one was named.
     *
     * @param value what it holds
     */
    record Foreign(String value) implements Unlocking {}

    /** The lock that was named is gone. */
    record Unlocked() implements Unlocking {}
}
