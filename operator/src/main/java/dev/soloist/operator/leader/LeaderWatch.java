package dev.soloist.operator.leader;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Notices that nobody leads although the API server answers: an election that has died in all replicas, as has
/// happened after outages of etcd. Then liveness fails, and new processes hold a new election. One [#runOnce()] at a
/// time.
public final class LeaderWatch {

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private final KubernetesClient client;
    private final String namespace;
    private final LongSupplier nanoTime;
    private @Nullable String lastVersion;
    private long changedAt;
    private volatile boolean healthy = true;

    public LeaderWatch(KubernetesClient client, String namespace) {
        this(client, namespace, System::nanoTime);
    }

    LeaderWatch(KubernetesClient client, String namespace, LongSupplier nanoTime) {
        this.client = client;
        this.namespace = namespace;
        this.nanoTime = nanoTime;
        this.changedAt = nanoTime.getAsLong();
    }

    /// False when the Lease has not been renewed for long while the API server answered.
    public boolean isHealthy() {
        return healthy;
    }

    /// Looks at the Lease once. A silent API server is no evidence against the election, so patience begins anew
    /// after it.
    public Duration runOnce() {
        try {
            var lease = client.leases()
                    .inNamespace(namespace)
                    .withName(Leadership.LEASE)
                    .get();
            observe(lease == null ? null : lease.getMetadata().getResourceVersion());
        } catch (RuntimeException noAnswer) {
            changedAt = nanoTime.getAsLong();
        }
        return EVERY;
    }

    void observe(@Nullable String version) {
        var now = nanoTime.getAsLong();
        if (version != null && !version.equals(lastVersion)) {
            lastVersion = version;
            changedAt = now;
        }
        healthy = now - changedAt < PATIENCE.toNanos();
    }
}
