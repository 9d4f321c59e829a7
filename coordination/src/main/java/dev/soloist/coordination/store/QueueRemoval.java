package dev.soloist.coordination.store;

import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.shard.ShardRemoval;
import java.util.ArrayList;

/** Removes all that a server with scripts keeps of one job's tasks. Repeat it when no answer came. */
final class QueueRemoval {

    private final RedisLink link;
    private final RedisKeys keys;

    QueueRemoval(RedisLink link, RedisKeys keys) {
        this.link = link;
        this.keys = keys;
    }

    void remove(JobId job, int shard, Instances instances) {
        var all = new ArrayList<>(ShardRemoval.all(keys, job, instances.segments()));
        if (shard == 0) {
            all.add(keys.layout(job));
        }
        // The server frees the memory beside its other work.
        link.call("UNLINK", all.toArray(String[]::new));
    }
}
