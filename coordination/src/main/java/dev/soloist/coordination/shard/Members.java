package dev.soloist.coordination.shard;

import dev.soloist.coordination.key.InstanceId;

/** Who the caller is in each shard. */
@FunctionalInterface
public interface Members {

    /**
     * The caller's instance in a shard. Asked by several threads at once, of a shard each.
     *
     * @throws dev.soloist.coordination.link.RedisUnavailable if it takes no part there now; nothing is sent then
     */
    InstanceId in(int shard);
}
