package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.time.Instant;

/** When a task is due, as the user said it: after a delay that Redis counts by its own clock, or at an instant. */
public sealed interface When {

    /**
     * After a delay, counted by Redis from the moment it takes the call.
     *
     * @param delay zero for at once
     */
    record After(Duration delay) implements When {

        /**
         * Checks the delay.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public After {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("a delay is not negative");
            }
        }
    }

    /**
     * At an instant of the Redis clock; one that has passed counts as now.
     *
     * @param instant the earliest moment
     */
    record At(Instant instant) implements When {}

    /** At once. */
    static When now() {
        return new After(Duration.ZERO);
    }

    /** After a delay. */
    static When after(Duration delay) {
        return new After(delay);
    }

    /** At an instant. */
    static When at(Instant instant) {
        return new At(instant);
    }
}
