package dev.soloist.coordination.link;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Hears of every command after its end, for metrics. Called on the caller's thread; must be quick and not throw. */
@FunctionalInterface
public interface CommandObserver {

    /** Ignores everything. */
    CommandObserver NONE = (took, failure) -> {};

    /**
     * A command ended.
     *
     * @param took from sending to the answer or to giving up
     * @param failure why there was no answer, or null if there was one
     */
    void ended(Duration took, RedisUnavailable.@Nullable Kind failure);
}
