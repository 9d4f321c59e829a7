package dev.soloist.coordination.singleton;

import java.time.Duration;

/** How far the end of a job has come. */
public sealed interface Deletion {
    /** A tombstone stands; nothing can run. */
    record Deleted() implements Deletion {}

    /** A run is in progress and was asked to stop; its end, or the watchdog after its lease, completes the deletion. */
    record AfterRun(Duration leaseRemaining) implements Deletion {}

    /** There is no record. */
    record Absent() implements Deletion {}

    /** The record belongs to a namesake; nothing was done. */
    record OtherUid(String uid) implements Deletion {}
}
