package dev.soloist.coordination.delayed;

import dev.soloist.coordination.loop.Backoff;

/**
 * How to take back tasks whose visibility is over. Immutable.
 *
 * @param max how many at once, 1 to 100
 * @param backoff how long each waits after its attempts so far; up to a tenth is added, so that they come back apart
 * @param maxAttempts a task that had as many goes to the dead letters
 */
public record SweepRequest(int max, Backoff backoff, int maxAttempts) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the value that is wrong
     */
    public SweepRequest {
        if (max < 1 || max > 100) {
            throw new IllegalArgumentException("max is 1 to 100, not " + max);
        }
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be positive");
        }
    }
}
