package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.shard.Layout;
import dev.soloist.coordination.shard.Placing;

/**
 * Where the job's tasks are by one layout. Thread-safe.
 *
 * @param layout that is open
 * @param placing by which new tasks find their shard
 * @param whole all shards as one queue
 */
record Route(Layout layout, Placing placing, DelayedQueue whole) {}
