package dev.soloist.coordination.singleton;

import java.time.Instant;

/** What became of a result. */
public sealed interface Finishing {
    /**
     * It counts.
     *
     * @param due when the job may run next; {@link Instant#EPOCH} when it was deleted
     */
    record Finished(SingletonState state, Instant due) implements Finishing {}

    /** It had been noted before; an answer was lost. */
    record Repeated() implements Finishing {}

    /** The run was settled without it. It stands in the history as late and changes nothing. */
    record Late() implements Finishing {}
}
