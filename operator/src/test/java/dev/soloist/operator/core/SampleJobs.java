package dev.soloist.operator.core;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.job.Work;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.schedule.Every;
import java.time.Duration;

/** Jobs of the namespace "shop" of which only the name, the uid and the kind matter. */
final class SampleJobs {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Backoff BACKOFF = new Backoff(SECOND, 2, Duration.ofSeconds(5));

    private SampleJobs() {}

    static DelayedWork queue() {
        return new DelayedWork(SECOND, 5, BACKOFF, 1, OnDuplicate.REJECT);
    }

    static JobDefinition queue(String name, String uid) {
        return job(name, uid, queue());
    }

    static JobDefinition singleton(String name, String uid, Backend backend) {
        return job(name, uid, new SingletonWork(new Every(Duration.ofHours(1)), new Retry(3, BACKOFF)), backend);
    }

    static JobDefinition job(String name, String uid, Work work) {
        return job(name, uid, work, Backend.STRING);
    }

    private static JobDefinition job(String name, String uid, Work work, Backend backend) {
        return new JobDefinition(
                new JobId("shop", name),
                uid,
                1,
                1,
                false,
                new Trigger(8080, "/", SECOND),
                new LeasePolicy(
                                SECOND.multipliedBy(30),
                                true,
                                SECOND,
                                ReleasePolicy.ON_COMPLETION,
                                Duration.ZERO,
                                SECOND,
                                SECOND,
                                SECOND)
                        .with(backend),
                work);
    }
}
