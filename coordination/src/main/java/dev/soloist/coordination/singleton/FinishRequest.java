package dev.soloist.coordination.singleton;

import dev.soloist.coordination.job.ReleasePolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * How a run ended and what comes next.
 *
 * @param message one sentence for people; cut at 512 bytes
 * @param nextDue of the next slot, or of the next attempt
 * @param retry whether the next is another attempt of the same slot
 * @param release how long the job is held from being run again by hand or by a changed schedule
 * @param holdFor since the start of the run; read with {@link ReleasePolicy#HOLD_FOR} only
 * @param cooldown since the end of the run; nothing that asks for a run, and no change of plan, goes past it. Zero leaves a
 *     cooldown that goes on as it is.
 */
public record FinishRequest(
        RunResult result,
        String message,
        Instant nextDue,
        boolean retry,
        ReleasePolicy release,
        Duration holdFor,
        Duration cooldown) {

    /** An end without a cooldown. */
    public FinishRequest(
            RunResult result, String message, Instant nextDue, boolean retry, ReleasePolicy release, Duration holdFor) {
        this(result, message, nextDue, retry, release, holdFor, Duration.ZERO);
    }

    /** Checks the values. */
    public FinishRequest {
        if (result == RunResult.ABANDONED || result == RunResult.LATE) {
            throw new IllegalArgumentException("a holder does not finish with " + result);
        }
        if (holdFor.isNegative() || cooldown.isNegative()) {
            throw new IllegalArgumentException("holdFor and cooldown are not negative: " + holdFor + ", " + cooldown);
        }
    }
}
