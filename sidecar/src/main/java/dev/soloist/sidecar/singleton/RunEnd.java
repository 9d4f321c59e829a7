package dev.soloist.sidecar.singleton;

import dev.soloist.sidecar.trigger.Verdict;

/** How the call of a run came to its end. */
sealed interface RunEnd {

    /** The app answered, or cannot be reached. */
    record Judged(Verdict verdict) implements RunEnd {}

    /** We cut it short. */
    record Stopped(StopCause cause) implements RunEnd {}
}
