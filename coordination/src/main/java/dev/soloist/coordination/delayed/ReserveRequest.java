package dev.soloist.coordination.delayed;

import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.key.Nonce;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A wish for tasks. Immutable.
 *
 * @param nonce names it: the same nonce is answered with the same tasks
 * @param max how many, 1 to 100; fewer come when payloads are large
 * @param visibility how long they stay hidden from others, from Redis' taking the call
 * @param maxAttempts a task that had as many goes to the dead letters instead
 * @param limit how many tasks may begin in a span of time, whoever takes them; null for any number
 */
public record ReserveRequest(
        Nonce nonce,
        int max,
        Duration visibility,
        int maxAttempts,
        @Nullable RateLimit limit) {

    /** A wish for tasks of a job without a rate limit. */
    public ReserveRequest(Nonce nonce, int max, Duration visibility, int maxAttempts) {
        this(nonce, max, visibility, maxAttempts, null);
    }

    /** The largest batch. */
    public static final int MAX_BATCH = 100;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public ReserveRequest {
        if (max < 1 || max > MAX_BATCH) {
            throw new IllegalArgumentException("max is 1 to " + MAX_BATCH + ", not " + max);
        }
        if (visibility.toMillis() < 1) {
            throw new IllegalArgumentException("visibility must be positive");
        }
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be positive");
        }
    }
}
