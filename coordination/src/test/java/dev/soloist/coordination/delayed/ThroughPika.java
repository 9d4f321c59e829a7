package dev.soloist.coordination.delayed;

import dev.soloist.coordination.delayed.cas.ImpatientQueues;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.link.RedisLink;
import java.time.Duration;

/** As {@link BehindPika} for tests whose links lead to the Pika itself, perhaps through something that breaks. */
final class ThroughPika extends BehindPika {

    @Override
    DelayedQueue queue(RedisLink given, Instances instances, QueueLimits limits) {
        return ImpatientQueues.of(
                given, QueueUnderTest.KEYS, QueueUnderTest.JOB, instances, limits, Duration.ofMillis(500));
    }

    @Override
    RedisLink through(RedisLink given) {
        return given;
    }
}
