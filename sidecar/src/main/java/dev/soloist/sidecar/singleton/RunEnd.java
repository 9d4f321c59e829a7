package dev.soloist.sidecar.singleton;

import dev.soloist.sidecar.trigger.Verdict;

/** How the call of a run came to its end. */
sealed interface RunEnd {

    /** The app answered, or cannot be reached. */
    record Judged(Verdict verdict) implements RunEnd {}

    /** Not begun: the slot was missed, as were the given number of later ones, and such are passed over. */
    record Skipped(int missed) implements RunEnd {}

    /** We cut it short. */
    record Stopped(StopCause cause) implements RunEnd {}
}
