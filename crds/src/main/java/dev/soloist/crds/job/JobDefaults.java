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
                spec.delayed() == null ? null : fill(spec.delayed()));
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
                or(delayed.visibilityTimeout(), JobLimits.VISIBILITY_TIMEOUT),
                or(delayed.maxAttempts(), JobLimits.MAX_ATTEMPTS),
                filled(delayed.backoff()),
                or(delayed.concurrency(), JobLimits.CONCURRENCY),
                or(delayed.onDuplicate(), OnDuplicate.KEEP_EARLIEST));
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
