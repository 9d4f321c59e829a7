package dev.soloist.operator.core;

import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.LeasePolicy;
import dev.soloist.coordination.job.Misfire;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.ReleasePolicy;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.Safety;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.job.Work;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.schedule.Cron;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.schedule.InvalidSchedule;
import dev.soloist.coordination.schedule.Schedule;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.MisfirePolicy;
import dev.soloist.crds.policy.EffectivePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Turns what users wrote, checked and with its defaults, into what sidecars are told. Pure.
public final class Definitions {

    private Definitions() {}

    /// Which object a definition stands for.
    ///
    /// @param uid of the object in the cluster; an object made again under the same name has another
    /// @param generation of its spec
    public record Identity(JobId id, String uid, long generation) {}

    /// Makes the definition of one job.
    ///
    /// @throws InvalidSchedule if the schedule passes the rules of the schema but has no next time
    public static JobDefinition of(Identity identity, long term, EffectiveJob job, EffectivePolicy policy) {
        return new JobDefinition(
                identity.id(),
                identity.uid(),
                identity.generation(),
                term,
                job.suspended(),
                new Trigger(
                        job.request().port(),
                        job.request().path(),
                        job.request().timeout()),
                policy(policy),
                work(job.work()));
    }

    private static LeasePolicy policy(EffectivePolicy policy) {
        var holdFor = policy.holdFor();
        return new LeasePolicy(
                policy.ttl(),
                policy.heartbeat(),
                policy.heartbeatEvery(),
                switch (policy.release()) {
                    case ON_COMPLETION -> ReleasePolicy.ON_COMPLETION;
                    case HOLD_UNTIL_NEXT_RUN -> ReleasePolicy.HOLD_UNTIL_NEXT_RUN;
                    case HOLD_FOR -> ReleasePolicy.HOLD_FOR;
                    case UNKNOWN -> throw unchecked("release policy");
                },
                holdFor == null ? Duration.ZERO : holdFor,
                policy.watchdogEvery(),
                policy.watchdogGrace(),
                policy.maxRunTime(),
                durability(policy.acknowledgement()),
                switch (policy.safety()) {
                    case STRICT -> Safety.STRICT;
                    case LENIENT -> Safety.LENIENT;
                    case UNKNOWN -> throw unchecked("safety");
                });
    }

    private static Durability durability(EffectivePolicy.@Nullable Acknowledgement wanted) {
        return wanted == null ? Durability.LOCAL : new Durability.Replicated(wanted.replicas(), wanted.timeout());
    }

    private static Work work(EffectiveJob.Work work) {
        return switch (work) {
            case EffectiveJob.Scheduled(var timing, var misfire, var limit, var waits) ->
                new SingletonWork(schedule(timing), misfire(misfire), new Retry(limit, backoff(waits)));
            case EffectiveJob.Queued(var visibility, var attempts, var waits, var concurrency, var onDuplicate) ->
                new DelayedWork(visibility, attempts, backoff(waits), concurrency, onDuplicate(onDuplicate));
        };
    }

    private static Schedule schedule(EffectiveJob.Timing timing) {
        return switch (timing) {
            case EffectiveJob.Every(var period) -> new Every(period);
            case EffectiveJob.Cron(var expression, var zone) -> Cron.of(expression, zone.getId());
        };
    }

    private static Backoff backoff(EffectiveJob.Waits waits) {
        return new Backoff(waits.initial(), waits.factor(), waits.max());
    }

    private static Misfire misfire(MisfirePolicy policy) {
        return switch (policy) {
            case RUN_ONCE -> Misfire.RUN_ONCE;
            case SKIP -> Misfire.SKIP;
            case UNKNOWN -> throw unchecked("misfire policy");
        };
    }

    private static OnDuplicate onDuplicate(dev.soloist.crds.job.OnDuplicate policy) {
        return switch (policy) {
            case REJECT -> OnDuplicate.REJECT;
            case KEEP_EARLIEST -> OnDuplicate.KEEP_EARLIEST;
            case KEEP_LATEST -> OnDuplicate.KEEP_LATEST;
            case REPLACE -> OnDuplicate.REPLACE;
            case UNKNOWN -> throw unchecked("onDuplicate");
        };
    }

    private static IllegalArgumentException unchecked(String what) {
        return new IllegalArgumentException("an unknown " + what + " passed the rules");
    }
}
