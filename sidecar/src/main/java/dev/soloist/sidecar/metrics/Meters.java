package dev.soloist.sidecar.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * Every meter of the sidecar by its documented name. Labels are a job's name and fixed words, nothing else; a job's meters go with
 * it. Thread-safe, never blocks.
 */
public final class Meters {

    private static final Duration[] BUCKETS = List.of(
                    "PT0.005S",
                    "PT0.01S",
                    "PT0.025S",
                    "PT0.05S",
                    "PT0.1S",
                    "PT0.25S",
                    "PT0.5S",
                    "PT1S",
                    "PT2.5S",
                    "PT5S",
                    "PT10S",
                    "PT30S",
                    "PT1M",
                    "PT5M",
                    "PT30M",
                    "PT2H")
            .stream()
            .map(Duration::parse)
            .toArray(Duration[]::new);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicInteger renewTimers = new AtomicInteger();
    private final ConcurrentHashMap<String, JobMeters> jobs = new ConcurrentHashMap<>();

    /** A registry of its own, with the meters that need no job. */
    public Meters() {
        gauge("soloist.renew.timers", Tags.empty(), renewTimers, AtomicInteger::get);
    }

    /** The meters of one job, the same object as long as the job is known. */
    public JobMeters job(String name) {
        return jobs.computeIfAbsent(name, job -> new JobMeters(this, job));
    }

    /** Drops a job's meters, so that series of deleted jobs do not pile up. */
    public void forget(String job) {
        jobs.remove(job);
        registry.getMeters().stream()
                .filter(meter -> job.equals(meter.getId().getTag(JobMeters.LABEL)))
                .map(Meter::getId)
                .forEach(registry::remove);
    }

    /** Heartbeat threads alive now. */
    public AtomicInteger renewTimers() {
        return renewTimers;
    }

    /** A step of a background loop threw and will be repeated. */
    public void loopFailed(String loop) {
        counter("soloist.loop.errors", "loop", loop).increment();
    }

    /** The API answered; {@code operation} is one of its own, or {@code none}. */
    public void apiAnswered(String operation, int status) {
        counter("soloist.api.requests", "operation", operation, "status", Integer.toString(status))
                .increment();
    }

    /** A call to the store ended; {@code failure} is empty when it was answered. */
    public void storeCall(Duration took, String failure) {
        timer("soloist.store.command").record(took);
        if (!failure.isEmpty()) {
            counter("soloist.store.errors", "kind", failure.toLowerCase(Locale.ROOT))
                    .increment();
        }
    }

    /** A value read at each scrape; the source must be quick and must not ask Redis. */
    public <T> void gauge(String name, Tags tags, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value).tags(tags).strongReference(true).register(registry);
    }

    /** A value in seconds read at each scrape. */
    public <T> void secondsGauge(String name, Tags tags, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value)
                .tags(tags)
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    Counter counter(String name, String... tags) {
        return registry.counter(name, tags);
    }

    Timer timer(String name, String... tags) {
        return Timer.builder(name)
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .minimumExpectedValue(BUCKETS[0])
                .maximumExpectedValue(BUCKETS[BUCKETS.length - 1])
                .register(registry);
    }

    /** All meters in the format of the given content type. */
    String scrape(String contentType) {
        return registry.scrape(contentType);
    }
}
