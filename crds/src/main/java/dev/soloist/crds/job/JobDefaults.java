package dev.soloist.crds.job;

import org.jspecify.annotations.Nullable;

/// The defaults of a DistributedJob in Java, the same as in the schema. Pure.
public final class JobDefaults {

    private JobDefaults() {}

    /// The spec as the API server would store it: what the user left out is filled in, what is wrong stays as it is.
    public static DistributedJobSpec fill(DistributedJobSpec spec) {
        return new DistributedJobSpec(
                spec.selector(),
                spec.lockPolicy(),
                spec.trigger() == null ? null : fill(spec.trigger()),
                or(spec.suspend(), false),
                spec.singleton() == null ? null : fill(spec.singleton()),
                spec.delayed() == null ? null : fill(spec.delayed()),
                spec.broadcast(),
                spec.eventLog() == null ? null : fill(spec.eventLog()));
    }

    private static Trigger fill(Trigger trigger) {
        return new Trigger(
                trigger.port(),
                trigger.path(),
                or(trigger.timeout(), JobLimits.TRIGGER_TIMEOUT),
                or(trigger.mode(), TriggerMode.SYNC));
    }

    private static Singleton fill(Singleton singleton) {
        return new Singleton(
                singleton.schedule(),
                fill(or(singleton.misfire(), new Misfire(null))),
                singleton.cooldown(),
                fill(or(singleton.retry(), new Retry(null, null))));
    }

    private static Misfire fill(Misfire misfire) {
        return new Misfire(or(misfire.policy(), MisfirePolicy.RUN_ONCE));
    }

    private static Retry fill(Retry retry) {
        return new Retry(or(retry.limit(), JobLimits.RETRY_LIMIT), filled(retry.backoff()));
    }

    private static Delayed fill(Delayed delayed) {
        return new Delayed(
                or(delayed.transport(), Transport.LIST),
                delayed.stream() == null ? null : fill(delayed.stream()),
                or(delayed.delivery(), Delivery.AT_LEAST_ONCE),
                or(delayed.visibilityTimeout(), JobLimits.VISIBILITY_TIMEOUT),
                or(delayed.maxAttempts(), JobLimits.MAX_ATTEMPTS),
                filled(delayed.backoff()),
                or(delayed.concurrency(), JobLimits.CONCURRENCY),
                or(delayed.onDuplicate(), OnDuplicate.KEEP_EARLIEST),
                delayed.deduplication() == null ? null : fill(delayed.deduplication()),
                or(delayed.maxPayload(), JobLimits.MAX_PAYLOAD),
                or(delayed.maxDepth(), JobLimits.MAX_DEPTH),
                fill(or(delayed.deadLetter(), new DeadLetter(null, null))),
                delayed.rateLimit(),
                or(delayed.shards(), JobLimits.SHARDS));
    }

    /// What a stream keeps, also when nothing is written down: the schema has no default, for it would be refused
    /// beside a list.
    static StreamKeeping fill(StreamKeeping stream) {
        return new StreamKeeping(
                or(stream.retention(), JobLimits.STREAM_RETENTION), or(stream.maxLength(), JobLimits.STREAM_LENGTH));
    }

    private static Deduplication fill(Deduplication deduplication) {
        return new Deduplication(
                or(deduplication.window(), JobLimits.DEDUPLICATION_WINDOW),
                or(deduplication.localCache(), true),
                or(deduplication.releaseOn(), ReleaseOn.TERMINAL));
    }

    private static DeadLetter fill(DeadLetter dead) {
        return new DeadLetter(or(dead.maxAge(), JobLimits.DEAD_MAX_AGE), or(dead.maxLength(), JobLimits.DEAD_LENGTH));
    }

    private static EventLog fill(EventLog log) {
        return new EventLog(or(log.maxLength(), JobLimits.EVENTS));
    }

    private static Backoff filled(@Nullable Backoff backoff) {
        var written = or(backoff, new Backoff(null, null, null));
        return new Backoff(
                or(written.initial(), JobLimits.BACKOFF_INITIAL),
                or(written.factor(), JobLimits.BACKOFF_FACTOR),
                or(written.max(), JobLimits.BACKOFF_MAX));
    }

    private static <T> T or(@Nullable T written, T otherwise) {
        return written == null ? otherwise : written;
    }
}
