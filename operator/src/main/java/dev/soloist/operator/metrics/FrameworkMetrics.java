package dev.soloist.operator.metrics;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/// Hears what the framework does, and measures it under our own names. The one class that knows the framework's
/// metrics interface.
public final class FrameworkMetrics implements Metrics {

    private final OperatorMetrics metrics;

    public FrameworkMetrics(OperatorMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
        var begun = System.nanoTime();
        try {
            return execution.execute();
        } finally {
            metrics.reconciled(execution.controllerName(), Duration.ofNanos(System.nanoTime() - begun));
        }
    }

    @Override
    public void failedReconciliation(HasMetadata resource, Exception exception, Map<String, Object> metadata) {
        metrics.failed(resource.getKind().toLowerCase(Locale.ROOT));
    }
}
