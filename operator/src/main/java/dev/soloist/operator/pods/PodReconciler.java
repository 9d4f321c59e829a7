package dev.soloist.operator.pods;

import dev.soloist.crds.Labels;
import dev.soloist.operator.core.PodBoard;
import dev.soloist.operator.store.NamespaceAccess;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.util.concurrent.TimeUnit;

/// Acts on every event of an injected pod, its deletion included. Pods carry no finalizer of ours: they must be
/// deletable while no operator runs, and a deletion that nobody saw is the sweep's business.
@ControllerConfiguration(
        name = "pod",
        triggerReconcilerOnAllEvents = true,
        generationAwareEventProcessing = false,
        informer = @Informer(labelSelector = Labels.INJECTED + "=" + Labels.INJECTED_TRUE),
        maxReconciliationInterval = @MaxReconciliationInterval(interval = 10, timeUnit = TimeUnit.MINUTES))
@GradualRetry(maxAttempts = -1, initialInterval = 500, intervalMultiplier = 2, maxInterval = 15_000)
public final class PodReconciler implements Reconciler<Pod> {

    private final PodBoard board;
    private final PodReclaim reclaim;
    private final NamespaceAccess access;

    public PodReconciler(PodBoard board, PodReclaim reclaim, NamespaceAccess access) {
        this.board = board;
        this.reclaim = reclaim;
        this.access = access;
    }

    @Override
    public UpdateControl<Pod> reconcile(Pod pod, Context<Pod> context) {
        var facts = PodReader.read(pod);
        // The last state of a deleted pod is as good as any; one that was not seen to the end proves nothing and takes
        // nothing.
        reclaim.fromEnded(pod, facts);
        if (context.isPrimaryResourceDeleted()) {
            board.remove(facts.namespace(), facts.uid());
        } else {
            board.write(facts);
            // Before there is any job: a kubelet that finds the Secret missing looks again only after a minute or so.
            // A refusal shows in the conditions of the namespace's jobs.
            var _ = access.ensure(facts.namespace());
        }
        return UpdateControl.noUpdate();
    }
}
