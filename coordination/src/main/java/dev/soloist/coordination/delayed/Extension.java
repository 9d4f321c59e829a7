package dev.soloist.coordination.delayed;

import java.time.Instant;

/** The answer to extending a task's visibility. */
public sealed interface Extension {

    /**
     * The task stays with its holder.
     *
     * @param cancelRequested whether somebody has withdrawn it meanwhile: the holder should stop and give it back
     * @param redisNow when the visibility began anew
     */
    record Extended(boolean cancelRequested, Instant redisNow) implements Extension {}

    /** The receipt is void: the task is somebody else's, or will be. */
    record Stale() implements Extension {}
}
