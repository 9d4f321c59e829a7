package dev.soloist.coordination.singleton;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a job's history.
 *
 * @param generation of the slot; 0 for a late result
 * @param pod that ran it; for a late result the instance that sent it
 * @param slot scheduled moment; absent for a late result
 * @param start by the Redis clock; absent for a late result
 * @param end by the Redis clock
 */
public record RunSummary(
        long generation,
        Fence fence,
        String pod,
        @Nullable Instant slot,
        @Nullable Instant start,
        Instant end,
        RunResult result,
        String message) {}
