package dev.soloist.coordination.delayed.stream;

/** The answer to a wish to have tasks handled again. */
public sealed interface Replay permits Replayed, Replay.Fenced {

    /**
     * The instance is fenced or unknown, from that step on: it may act on what does not hold any more. Register as a new one,
     * then repeat with the same request key.
     */
    record Fenced() implements Replay {}
}
