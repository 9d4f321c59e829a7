package dev.soloist.operator.core;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.singleton.Carried;

/// How far a singleton job has left the place where its policy no longer keeps it.
sealed interface Departure {

    /// It is only where it belongs, if anywhere.
    record Nothing() implements Departure {}

    /// It has left, and what it knew is still there.
    record Left(Backend from, Carried carried) implements Departure {}

    /// Something else comes first.
    record NotYet(Seeded answer) implements Departure {}
}
