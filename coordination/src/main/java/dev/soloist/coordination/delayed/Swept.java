package dev.soloist.coordination.delayed;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a sweep did. Immutable.
 *
 * @param delayed tasks that wait for another attempt
 * @param dead tasks that had their last one
 * @param cancelled tasks that were withdrawn while held
 * @param dropped entries without a held task behind them
 * @param more whether asking again at once may find more
 * @param nextDue the earliest new due, null if there is none
 * @param redisNow when Redis said so
 */
public record Swept(
        int delayed,
        int dead,
        int cancelled,
        int dropped,
        boolean more,
        @Nullable Instant nextDue,
        Instant redisNow) {}
