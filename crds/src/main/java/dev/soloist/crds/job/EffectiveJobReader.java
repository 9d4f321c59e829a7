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
                labels, spec.lockPolicy(), request(requireNonNull(spec.trigger())), suspended, work(spec));
    }

    private static EffectiveJob.Request request(Trigger trigger) {
        return new EffectiveJob.Request(
                requireNonNull(trigger.port()), requireNonNull(trigger.path()), duration(trigger.timeout()));
    }

    private static EffectiveJob.Work work(DistributedJobSpec spec) {
        return spec.singleton() != null ? scheduled(spec.singleton()) : queued(requireNonNull(spec.delayed()));
    }

    private static EffectiveJob.Work scheduled(Singleton singleton) {
        var retry = requireNonNull(singleton.retry());
        return new EffectiveJob.Scheduled(
                timing(requireNonNull(singleton.schedule())),
                requireNonNull(requireNonNull(singleton.misfire()).policy()),
                requireNonNull(retry.limit()),
                waits(retry.backoff()));
    }

    private static EffectiveJob.Work queued(Delayed delayed) {
        return new EffectiveJob.Queued(
                duration(delayed.visibilityTimeout()),
                requireNonNull(delayed.maxAttempts()),
                waits(delayed.backoff()),
                requireNonNull(delayed.concurrency()),
                requireNonNull(delayed.onDuplicate()));
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
