package dev.soloist.coordination.durability;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the primary answered, and whether as many replicas as were asked for have it. Immutable.
 *
 * @param answer of the primary: there, it is done
 * @param enough false if it may be forgotten by a failover although that was not wanted: take back what depends on it, or
 *     repeat the call
 */
public record Acknowledged<T extends @Nullable Object>(T answer, boolean enough) {

    /** An answer that needs nobody else. */
    public static <T extends @Nullable Object> Acknowledged<T> of(T answer) {
        return new Acknowledged<>(answer, true);
    }

    /** The same for another reading of the answer. */
    public <R extends @Nullable Object> Acknowledged<R> map(Function<T, R> reading) {
        return new Acknowledged<>(reading.apply(answer), enough);
    }
}
