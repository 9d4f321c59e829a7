package dev.soloist.operator.store;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.loop.Turn;
import dev.soloist.crds.Labels;
import dev.soloist.crds.job.DistributedJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// Keeps the access of all namespaces as it should be, also of those in which nothing happens: users at once after each
/// connect, Secrets a moment after the operator's own files have changed; and takes the users of deleted namespaces
/// away. One [#runOnce()] at a time.
public final class AccessKeeper {

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Duration REMOVE_EVERY = Duration.ofMinutes(10);

    private final NamespaceAccess access;
    private final KubernetesClient client;
    private final RedisLink link;
    private final BooleanSupplier leading;
    private final AtomicBoolean freshlyConnected = new AtomicBoolean();
    private long lastRemoval = System.nanoTime();

    public AccessKeeper(NamespaceAccess access, KubernetesClient client, RedisLink link, BooleanSupplier leading) {
        this.access = access;
        this.client = client;
        this.link = link;
        this.leading = leading;
    }

    /// To be called after each connect, before the next turn.
    public void connected() {
        freshlyConnected.set(true);
    }

    /// One turn.
    public Duration runOnce() {
        if (!leading.getAsBoolean() || !link.isConnected()) {
            return EVERY;
        }
        if (freshlyConnected.getAndSet(false)) {
            assertAll();
        }
        Turn.over(access.granted(), namespace -> {
            var _ = access.ensure(namespace);
        });
        if (System.nanoTime() - lastRemoval > REMOVE_EVERY.toNanos()) {
            removeLeftOver();
            lastRemoval = System.nanoTime();
        }
        return EVERY;
    }

    private void assertAll() {
        try {
            access.assertAll();
        } catch (RuntimeException unfinished) {
            freshlyConnected.set(true);
            throw unfinished;
        }
    }

    /// A namespace that still has its Secret, a job or a pod of ours keeps its user. The operator may not list
    /// namespaces, and need not.
    void removeLeftOver() {
        Turn.over(access.withUser(), namespace -> {
            if (!isUsed(namespace)) {
                var _ = access.removeUserWithoutSecret(namespace);
            }
        });
    }

    private boolean isUsed(String namespace) {
        return !client.resources(DistributedJob.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .isEmpty()
                || !client.pods()
                        .inNamespace(namespace)
                        .withLabel(Labels.INJECTED, Labels.INJECTED_TRUE)
                        .list()
                        .getItems()
                        .isEmpty();
    }
}
