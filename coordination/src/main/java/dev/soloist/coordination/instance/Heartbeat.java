package dev.soloist.coordination.instance;

import java.time.Instant;
import java.util.List;

/** The answer to a heartbeat. */
public sealed interface Heartbeat {

    /**
     * The lease runs anew.
     *
     * @param segments what the instance has to move, its own first and those it adopted after it
     * @param redisNow when the lease began anew
     */
    record Alive(List<String> segments, Instant redisNow) implements Heartbeat {}

    /**
     * The instance may neither enqueue nor reserve any more, or Redis has lost it: register as a new one. What it holds it
     * may still end or give back.
     */
    record Fenced() implements Heartbeat {}
}
