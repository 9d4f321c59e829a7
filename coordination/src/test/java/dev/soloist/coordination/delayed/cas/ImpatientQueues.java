package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import java.time.Duration;

/** Queues that look after lost hints earlier than one in use does, so that tests need not wait for it. */
public final class ImpatientQueues {

    private ImpatientQueues() {}

    public static DelayedQueue of(
            RedisLink link, RedisKeys keys, JobId job, Instances instances, QueueLimits limits, Duration patience) {
        return new CasQueue(link::callBytes, keys, job, Membership.of(instances), () -> limits, patience);
    }
}
