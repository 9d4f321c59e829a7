package dev.soloist.coordination.singleton;

/** What {@link SingletonStore#seed} found or did. */
public sealed interface Seeding {
    /**
     * A record was made.
     *
     * @param generation of its first slot
     * @param term of the record: higher than the one asked for when a deleted namesake had reached it; raise the cluster's
     *     counter to it
     */
    record Seeded(long generation, long term) implements Seeding {}

    /**
     * A living record was there; nothing was changed.
     *
     * @param mark the data set's id from the seed that made it; empty when the key was lost
     * @param uid whose record it is: not ours means that a namesake was never deleted here; delete that one first, after a
     *     fresh look at the cluster
     */
    record Present(SingletonState state, String mark, String uid) implements Seeding {}

    /** A run of a deleted namesake, or a lease without a record, may be alive: ask again later. */
    record Waiting() implements Seeding {}

    /** This very uid was deleted: the caller's view is old. */
    record Gone() implements Seeding {}

    /** The caller had seeded it and the record is no more: raise the term, then seed as new. */
    record DataLoss() implements Seeding {}
}
