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

/** Definitions as an operator would write them, with short times. */
public final class Jobs {

    public static final String NAMESPACE = "shop";

    private Jobs() {}

    public static JobId id(String name) {
        return new JobId(NAMESPACE, name);
    }

    public static LeasePolicy policy(Duration ttl) {
        return policy(ttl, Duration.ofMinutes(5));
    }

    public static LeasePolicy policy(Duration ttl, Duration maxRunTime) {
        return new LeasePolicy(
                ttl,
                true,
                ttl.dividedBy(3),
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
        var work = new DelayedWork(Duration.ofSeconds(2), 5, backoff(), 10, OnDuplicate.KEEP_EARLIEST);
        return job(name, port, policy(Duration.ofSeconds(3)), change.apply(work));
    }

    public static JobDefinition broadcast(String name, int port) {
        return job(name, port, policy(Duration.ofSeconds(3)), new BroadcastWork());
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
