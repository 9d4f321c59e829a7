package dev.soloist.coordination.singleton;

/** Where a singleton job stands; the record in Redis decides, lists and locks only follow it. */
public enum SingletonState {
    /** Waits for its moment. */
    DELAYED,
    /** Due; any instance may claim it. */
    READY,
    /** One instance holds the lease, or its lease has just run out and nobody has settled it yet. */
    RUNNING,
    /** Suspended: no run starts. */
    PAUSED,
    /** A tombstone of a deleted job; it goes away after 30 days. */
    DELETED,
    /** No record: never seeded, or lost. */
    ABSENT
}
