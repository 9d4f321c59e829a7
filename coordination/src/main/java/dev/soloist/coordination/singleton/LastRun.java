package dev.soloist.coordination.singleton;

import java.time.Instant;

/** The run that ended last, a late result not counted. Instants by the Redis clock. */
public record LastRun(long generation, Fence fence, String pod, Instant start, Instant end, RunResult result) {}
