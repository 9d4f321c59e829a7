package dev.soloist.coordination.job;

import java.time.Duration;

/** What carries due tasks to the pods. */
public sealed interface Transport {

    /** The shared list. */
    Transport LIST = new ReadyList();

    /** One shared list of ready tasks, from which each is taken once. */
    record ReadyList() implements Transport {}

    /**
     * A stream with one consumer group. Immutable.
     *
     * @param retention how long a handled task can be replayed
     * @param maxLength of more handled tasks the oldest are trimmed
     */
    record Stream(Duration retention, long maxLength) implements Transport {}
}
