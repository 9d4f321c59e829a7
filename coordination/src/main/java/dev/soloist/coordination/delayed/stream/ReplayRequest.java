package dev.soloist.coordination.delayed.stream;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A wish to have tasks handled again. Immutable.
 *
 * @param from tasks handed out from this instant on, by the Redis clock
 * @param until and no later than this; null for the moment of the first step
 * @param requestKey the same request key makes each task ready once, however often it is repeated
 */
public record ReplayRequest(Instant from, @Nullable Instant until, String requestKey) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public ReplayRequest {
        if (from.toEpochMilli() < 0) {
            throw new IllegalArgumentException("from is before 1970");
        }
        if (until != null && until.isBefore(from)) {
            throw new IllegalArgumentException("until is before from");
        }
    }
}
