package dev.soloist.operator.core;

import dev.soloist.coordination.job.BroadcastWork;
import dev.soloist.coordination.job.Deduplication;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.Delivery;
import dev.soloist.coordination.job.Misfire;
import dev.soloist.coordination.job.OnDuplicate;
import dev.soloist.coordination.job.RateLimit;
import dev.soloist.coordination.job.ReleaseOn;
import dev.soloist.coordination.job.Retry;
import dev.soloist.coordination.job.SingletonWork;
import dev.soloist.coordination.job.TaskLimits;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.job.Work;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.schedule.Cron;
import dev.soloist.coordination.schedule.Every;
import dev.soloist.coordination.schedule.Schedule;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.MisfirePolicy;
import org.jspecify.annotations.Nullable;

/// Turns checked work into what sidecars are told. Pure.
final class WorkDefinition {

    private WorkDefinition() {}

    /// @throws dev.soloist.coordination.schedule.InvalidSchedule if a schedule passes the rules but has no next time
    static Work of(EffectiveJob.Work work) {
        return switch (work) {
            case EffectiveJob.Scheduled(var timing, var misfire, var cooldown, var limit, var waits) ->
                new SingletonWork(schedule(timing), misfire(misfire), new Retry(limit, backoff(waits)), cooldown);
            case EffectiveJob.Queued queued -> queued(queued);
            case EffectiveJob.Broadcasting() -> new BroadcastWork();
        };
    }

    private static Work queued(EffectiveJob.Queued queued) {
        var bounds = queued.bounds();
        return new DelayedWork(
                queued.visibilityTimeout(),
                queued.maxAttempts(),
                backoff(queued.waits()),
                queued.concurrency(),
                onDuplicate(queued.onDuplicate()),
                transport(queued.stream()),
                delivery(queued.delivery()),
                deduplication(queued.deduplication()),
                new TaskLimits(bounds.maxPayload(), bounds.maxDepth(), bounds.deadMaxAge(), bounds.deadMaxLength()),
                rateLimit(queued.rate()),
                queued.shards());
    }

    private static Transport transport(EffectiveJob.@Nullable Keeping stream) {
        return stream == null ? Transport.LIST : new Transport.Stream(stream.retention(), stream.maxLength());
    }

    private static Delivery delivery(dev.soloist.crds.job.Delivery delivery) {
        return switch (delivery) {
            case AT_LEAST_ONCE -> Delivery.AT_LEAST_ONCE;
            case AT_MOST_ONCE -> Delivery.AT_MOST_ONCE;
            case UNKNOWN -> throw Definitions.unchecked("delivery");
        };
    }

    private static @Nullable Deduplication deduplication(EffectiveJob.@Nullable Window window) {
        return window == null
                ? null
                : new Deduplication(window.length(), window.localCache(), releaseOn(window.releaseOn()));
    }

    private static ReleaseOn releaseOn(dev.soloist.crds.job.ReleaseOn releaseOn) {
        return switch (releaseOn) {
            case SUCCESS -> ReleaseOn.SUCCESS;
            case TERMINAL -> ReleaseOn.TERMINAL;
            case UNKNOWN -> throw Definitions.unchecked("releaseOn");
        };
    }

    private static @Nullable RateLimit rateLimit(EffectiveJob.@Nullable Rate rate) {
        return rate == null ? null : new RateLimit(rate.max(), rate.per());
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
            case UNKNOWN -> throw Definitions.unchecked("misfire policy");
        };
    }

    private static OnDuplicate onDuplicate(dev.soloist.crds.job.OnDuplicate policy) {
        return switch (policy) {
            case REJECT -> OnDuplicate.REJECT;
            case KEEP_EARLIEST -> OnDuplicate.KEEP_EARLIEST;
            case KEEP_LATEST -> OnDuplicate.KEEP_LATEST;
            case REPLACE -> OnDuplicate.REPLACE;
            case UNKNOWN -> throw Definitions.unchecked("onDuplicate");
        };
    }
}
