package dev.soloist.coordination.shard;

import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;

/** Definitions of one delayed job. */
final class Jobs {

    static final JobId MAILS = new JobId("shop", "mails");

    private static final Duration SECOND = Duration.ofSeconds(1);

    private Jobs() {}

    static JobDefinition sharded(int shards, long generation) {
        return sharded(shards, generation, "uid");
    }

    static JobDefinition sharded(int shards, long generation, String uid) {
        var work = new DelayedWork(Duration.ofSeconds(30), 5, new Backoff(SECOND, 2, SECOND), 10, OnDuplicate.REJECT)
                .withShards(shards);
        return new JobDefinition(
                MAILS,
                uid,
                generation,
                1,
                false,
                new Trigger(8080, "/mails", SECOND),
                new LeasePolicy(SECOND, true, SECOND, ReleasePolicy.ON_COMPLETION, SECOND, SECOND, SECOND, SECOND),
                work);
    }
}
