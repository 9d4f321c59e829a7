package dev.soloist.coordination.loop;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One turn over many things that have nothing to do with each other. Stateless. */
public final class Turn {

    private Turn() {}

    /**
     * Does the same to each, in order; one that fails does not keep the others from their turn.
     *
     * @throws RuntimeException the first failure, with the others suppressed in it, after all had their turn
     */
    public static <T> void over(Collection<? extends T> all, Consumer<T> action) {
        @Nullable RuntimeException failure = null;
        for (T each : List.copyOf(all)) {
            try {
                action.accept(each);
            } catch (RuntimeException failed) {
                if (failure == null) {
                    failure = failed;
                } else if (!failed.equals(failure)) {
                    failure.addSuppressed(failed);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
