package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.stream.Replayed;

/** What became of a wish to have tasks handled again. */
public sealed interface Replaying {

    /** They are, as far as they could be. */
    record Done(Replayed replayed) implements Replaying {}

    /** Nothing is kept of what was handled. */
    record NoHistory() implements Replaying {}

    /**
     * Nothing was done, for the tasks are or were over several shards: one that is made ready where it was handled would not be
     * found there later, and could live twice.
     *
     * @param shards how many may hold tasks now
     */
    record Spread(int shards) implements Replaying {}
}
