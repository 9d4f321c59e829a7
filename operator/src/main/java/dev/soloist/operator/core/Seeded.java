package dev.soloist.operator.core;

import java.time.Duration;

/// What became of bringing a job's state in Redis in line with its definition.
public sealed interface Seeded {

    /// It is in line. The memory may differ from the one given: keep it in the cluster.
    record InForce(Memory memory) implements Seeded {}

    /// Redis may have lost writes. Nothing was seeded: keep this memory in the cluster first (refusing to
    /// overwrite a newer one), then ask again. The order matters: a term that was used and then forgotten would
    /// let fences fall.
    ///
    /// @param reason for people
    record RaiseTerm(Memory memory, String reason) implements Seeded {}

    /// A run of a deleted namesake may still be alive.
    record Waiting(Duration retryAfter) implements Seeded {}

    /// The job's lease is to be kept in another way, and the run in progress is the last that is kept in the old one.
    record Moving(Duration retryAfter) implements Seeded {}

    /// The state belongs to a namesake with another uid that was never ended here. Make sure that ours is the
    /// living object, then end that one with [JobSeeding#endNamesake].
    record Namesake(String uid) implements Seeded {}

    /// The memory is not what the cluster has by now. Nothing was done: ask again with that.
    record Outdated() implements Seeded {}

    /// This very object was ended here before: the caller's view of it is old.
    record Ended() implements Seeded {}
}
