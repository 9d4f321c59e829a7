package dev.soloist.operator.metrics;

import dev.soloist.coordination.capability.Capability;
import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.singleton.WatchVerdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;

/// All meters of the operator. Thread-safe.
public final class OperatorMetrics {

    private static final String PREFIX = "soloist.operator.";
    private static final Pattern UNDERSCORE_LETTER = Pattern.compile("_([a-z])");
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10)
    };

    private final MeterRegistry registry;
    private final AtomicBoolean leader = new AtomicBoolean();

    public OperatorMetrics(MeterRegistry registry) {
        this.registry = registry;
        gauge("leader", () -> leader.get() ? 1 : 0);
        // Counters that have not counted yet are 0, not absent: an alert on their rate needs the first step.
        for (var result : new String[] {"injected", "unchanged", "skipped", "refused", "error"}) {
            webhookCounter(result);
        }
        for (var reason : new String[] {"lease", "segments"}) {
            reclaimCounter(reason);
        }
        for (var verdict : WatchVerdict.values()) {
            verdictCounter(verdict);
        }
        for (var controller : new String[] {"distributedjob", "lockpolicy", "pod"}) {
            reconcileCounter(controller);
            errorCounter(controller);
            var _ = reconcileTimer(controller);
        }
        var _ = webhookTimer();
        var _ = statusWrites();
        var _ = termsRaised();
    }

    public void leading(boolean now) {
        leader.set(now);
    }

    /// Registers the gauges whose values others own.
    public void watch(BooleanSupplier storeUp, DoubleSupplier certificateExpiry, JobTally tally) {
        gauge("store.up", () -> storeUp.getAsBoolean() ? 1 : 0);
        gauge("cert.expiry.timestamp.seconds", certificateExpiry);
        gauge("uninjected.pods", tally::uninjectedPods);
        Gauge.builder(PREFIX + "jobs", tally, jobs -> jobs.ready())
                .tag("ready", "true")
                .register(registry);
        Gauge.builder(PREFIX + "jobs", tally, jobs -> jobs.notReady())
                .tag("ready", "false")
                .register(registry);
    }

    /// Registers what is known of the store.
    public void watch(StoreGate gate) {
        for (var capability : Capability.values()) {
            Gauge.builder(
                            PREFIX + "store.capability",
                            gate,
                            known -> known.verdict().seen().has(capability) ? 1 : 0)
                    .tag("name", capability.word())
                    .strongReference(true)
                    .register(registry);
        }
        for (var mode : new String[] {"Scripted", "Cas", "Refused"}) {
            Gauge.builder(
                            PREFIX + "store.mode",
                            gate,
                            known -> known.mode().word().equals(mode) ? 1 : 0)
                    .tag("mode", mode)
                    .strongReference(true)
                    .register(registry);
        }
    }

    public void webhookAnswered(String result, long nanos) {
        webhookCounter(result).increment();
        webhookTimer().record(Duration.ofNanos(nanos));
    }

    public void reconciled(String controller, Duration took) {
        reconcileCounter(controller).increment();
        reconcileTimer(controller).record(took);
    }

    public void failed(String controller) {
        errorCounter(controller).increment();
    }

    public void reclaimed(String reason) {
        reclaimCounter(reason).increment();
    }

    public void saw(WatchVerdict verdict) {
        verdictCounter(verdict).increment();
    }

    public void statusWritten() {
        statusWrites().increment();
    }

    public void termRaised() {
        termsRaised().increment();
    }

    private Counter webhookCounter(String result) {
        return registry.counter(PREFIX + "webhook.requests", "result", result);
    }

    private Counter reclaimCounter(String reason) {
        return registry.counter(PREFIX + "reclaims", "reason", reason);
    }

    private Counter reconcileCounter(String controller) {
        return registry.counter(PREFIX + "reconciles", "controller", controller);
    }

    private Counter errorCounter(String controller) {
        return registry.counter(PREFIX + "errors", "controller", controller);
    }

    private Counter verdictCounter(WatchVerdict verdict) {
        var words = verdict.name().toLowerCase(Locale.ROOT);
        var word = UNDERSCORE_LETTER
                .matcher(words)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
        return registry.counter(PREFIX + "watch.verdicts", "verdict", word);
    }

    private Counter statusWrites() {
        return registry.counter(PREFIX + "status.writes");
    }

    private Counter termsRaised() {
        return registry.counter(PREFIX + "terms.raised");
    }

    private Timer webhookTimer() {
        return timer("webhook").register(registry);
    }

    private Timer reconcileTimer(String controller) {
        return timer("reconcile").tag("controller", controller).register(registry);
    }

    private static Timer.Builder timer(String name) {
        return Timer.builder(PREFIX + name).serviceLevelObjectives(BUCKETS);
    }

    private void gauge(String name, DoubleSupplier value) {
        Gauge.builder(PREFIX + name, value::getAsDouble).register(registry);
    }
}
