package dev.soloist.coordination.delayed;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What moving one segment did. Immutable.
 *
 * @param count how many tasks became ready; as many as asked for means that there may be more
 * @param nextHead when the segment's first task is due, null if it is empty
 * @param redisNow when Redis said so
 */
public record Moved(int count, @Nullable Instant nextHead, Instant redisNow) {

    /** How long the segment can be left alone, at most the ceiling: movers of other pods are not heard of otherwise. */
    public Duration untilNext(Duration ceiling) {
        if (nextHead == null) {
            return ceiling;
        }
        Duration left = Duration.between(redisNow, nextHead);
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(ceiling) < 0 ? left : ceiling;
    }
}
