package dev.soloist.crds.job;

import static java.util.Objects.requireNonNull;

import dev.soloist.crds.GoDuration;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// Reads a spec that is valid and has its defaults; nothing required is null there.
final class EffectiveJobReader {

    private EffectiveJobReader() {}

    static EffectiveJob read(DistributedJobSpec spec) {
        var labels = requireNonNull(requireNonNull(spec.selector()).matchLabels());
        var suspended = requireNonNull(spec.suspend());
        return new EffectiveJob(
                labels,
                spec.lockPolicy(),
                request(requireNonNull(spec.trigger())),
                suspended,
                work(spec),
                events(spec.eventLog()));
    }

    private static EffectiveJob.Request request(Trigger trigger) {
        return new EffectiveJob.Request(
                requireNonNull(trigger.port()), requireNonNull(trigger.path()), duration(trigger.timeout()));
    }

    private static EffectiveJob.Work work(DistributedJobSpec spec) {
        if (spec.singleton() != null) {
            return scheduled(spec.singleton());
        }
        return spec.delayed() != null ? queued(spec.delayed()) : new EffectiveJob.Broadcasting();
    }

    private static EffectiveJob.Events events(@Nullable EventLog log) {
        return log == null
                ? new EffectiveJob.Events(JobLimits.EVENTS, false)
                : new EffectiveJob.Events(requireNonNull(log.maxLength()), true);
    }

    private static EffectiveJob.Work scheduled(Singleton singleton) {
        var retry = requireNonNull(singleton.retry());
        return new EffectiveJob.Scheduled(
                timing(requireNonNull(singleton.schedule())),
                requireNonNull(requireNonNull(singleton.misfire()).policy()),
                singleton.cooldown() == null ? Duration.ZERO : duration(singleton.cooldown()),
                requireNonNull(retry.limit()),
                waits(retry.backoff()));
    }

    private static EffectiveJob.Work queued(Delayed delayed) {
        return new EffectiveJob.Queued(
                duration(delayed.visibilityTimeout()),
                requireNonNull(delayed.maxAttempts()),
                waits(delayed.backoff()),
                requireNonNull(delayed.concurrency()),
                requireNonNull(delayed.onDuplicate()),
                delayed.transport() == Transport.STREAM ? keeping(delayed.stream()) : null,
                requireNonNull(delayed.delivery()),
                delayed.deduplication() == null ? null : window(delayed.deduplication()),
                bounds(delayed),
                delayed.rateLimit() == null ? null : rate(delayed.rateLimit()),
                requireNonNull(delayed.shards()));
    }

    private static EffectiveJob.Keeping keeping(@Nullable StreamKeeping written) {
        var stream = JobDefaults.fill(written == null ? new StreamKeeping(null, null) : written);
        return new EffectiveJob.Keeping(duration(stream.retention()), requireNonNull(stream.maxLength()));
    }

    private static EffectiveJob.Window window(Deduplication deduplication) {
        return new EffectiveJob.Window(
                duration(deduplication.window()),
                requireNonNull(deduplication.localCache()),
                requireNonNull(deduplication.releaseOn()));
    }

    private static EffectiveJob.Bounds bounds(Delayed delayed) {
        var dead = requireNonNull(delayed.deadLetter());
        return new EffectiveJob.Bounds(
                Math.toIntExact(DelayedRules.bytes(requireNonNull(delayed.maxPayload()))),
                requireNonNull(delayed.maxDepth()),
                duration(dead.maxAge()),
                requireNonNull(dead.maxLength()));
    }

    private static EffectiveJob.Rate rate(RateLimit limit) {
        return new EffectiveJob.Rate(requireNonNull(limit.max()), duration(limit.per()));
    }

    private static EffectiveJob.Timing timing(Schedule schedule) {
        if (schedule.cron() == null) {
            return new EffectiveJob.Every(duration(schedule.every()));
        }
        var zone = schedule.timeZone() == null ? EffectiveJob.DEFAULT_TIME_ZONE : schedule.timeZone();
        return new EffectiveJob.Cron(schedule.cron(), ZoneId.of(zone));
    }

    private static EffectiveJob.Waits waits(@Nullable Backoff backoff) {
        requireNonNull(backoff);
        return new EffectiveJob.Waits(
                duration(backoff.initial()), requireNonNull(backoff.factor()), duration(backoff.max()));
    }

    private static Duration duration(@Nullable String text) {
        return GoDuration.parse(requireNonNull(text));
    }
}
