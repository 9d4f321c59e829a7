package dev.soloist.coordination.instance;

import java.time.Duration;

/** The answer to fencing. */
public sealed interface Fencing {

    /** It is fenced from now on. */
    record Fenced() implements Fencing {}

    /** It was fenced before and waits to be adopted. */
    record Already() implements Fencing {}

    /**
     * Its heartbeats arrive, so it stays.
     *
     * @param remaining until lease and grace would be over
     */
    record StillAlive(Duration remaining) implements Fencing {}

    /** It is not listed: adopted, or never registered. */
    record Gone() implements Fencing {}
}
