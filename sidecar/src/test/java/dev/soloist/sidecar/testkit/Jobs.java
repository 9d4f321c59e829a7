package dev.soloist.sidecar.testkit;

import dev.soloist.coordination.job.BroadcastWork;
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
import java.util.function.UnaryOperator;

/**
 * Definitions as an operator would write them. What a test means to be held - a lease, a task in the app's hands - is held for
 * much longer than a busy machine may stand still; a test in which it ends names the time itself.
 */
public final class Jobs {

    public static final String NAMESPACE = "shop";

    /** A lease that ends in no test by itself. */
    public static final Duration HELD = Duration.ofSeconds(30);

    /** As long as a task of {@link #delayed} stays with whom it was given to: comes back while a test waits, if it must. */
    private static final Duration VISIBILITY = Duration.ofSeconds(12);

    private static final Duration LONGEST_BEAT = Duration.ofMillis(500);

    private Jobs() {}

    public static JobId id(String name) {
        return new JobId(NAMESPACE, name);
    }

    public static LeasePolicy policy(Duration ttl) {
        return policy(ttl, Duration.ofMinutes(5));
    }

    public static LeasePolicy policy(Duration ttl, Duration maxRunTime) {
        var third = ttl.dividedBy(3);
        return new LeasePolicy(
                ttl,
                true,
                third.compareTo(LONGEST_BEAT) < 0 ? third : LONGEST_BEAT,
                ReleasePolicy.ON_COMPLETION,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofMillis(200),
                maxRunTime);
    }

    public static JobDefinition singleton(String name, int port, Duration every, LeasePolicy policy) {
        return singleton(name, port, every, policy, new Retry(0, backoff()));
    }

    public static JobDefinition singleton(String name, int port, Duration every, LeasePolicy policy, Retry retry) {
        return job(name, port, policy, new SingletonWork(new Every(every), retry));
    }

    public static JobDefinition singleton(String name, int port, LeasePolicy policy, SingletonWork work) {
        return job(name, port, policy, work);
    }

    public static JobDefinition delayed(String name, int port, UnaryOperator<DelayedWork> change) {
        var work = new DelayedWork(VISIBILITY, 5, backoff(), 10, OnDuplicate.KEEP_EARLIEST);
        return job(name, port, policy(HELD), change.apply(work));
    }

    public static JobDefinition broadcast(String name, int port) {
        return job(name, port, policy(HELD), new BroadcastWork());
    }

    /** The same job, suspended or not. */
    public static JobDefinition suspended(JobDefinition job, boolean suspended) {
        return new JobDefinition(
                job.id(),
                job.uid(),
                job.generation() + 1,
                job.term(),
                suspended,
                job.trigger(),
                job.policy(),
                job.work(),
                job.eventLogLength());
    }

    public static DelayedWork withVisibility(DelayedWork work, Duration visibility) {
        return new DelayedWork(visibility, work.maxAttempts(), work.backoff(), work.concurrency(), work.onDuplicate());
    }

    public static DelayedWork withOnDuplicate(DelayedWork work, OnDuplicate onDuplicate) {
        return new DelayedWork(
                work.visibilityTimeout(), work.maxAttempts(), work.backoff(), work.concurrency(), onDuplicate);
    }

    /** The same job under another policy. */
    public static JobDefinition withPolicy(JobDefinition job, LeasePolicy policy) {
        return new JobDefinition(
                job.id(), job.uid(), job.generation(), job.term(), job.suspended(), job.trigger(), policy, job.work());
    }

    public static Backoff backoff() {
        return new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(1));
    }

    private static JobDefinition job(String name, int port, LeasePolicy policy, Work work) {
        return new JobDefinition(
                id(name),
                "uid-" + name,
                1,
                1,
                false,
                new Trigger(port, "/jobs/" + name, Duration.ofSeconds(60)),
                policy,
                work);
    }
}
