package dev.soloist.operator.job;

import dev.soloist.operator.core.JobEnding;
import dev.soloist.operator.core.JobSeeding;
import dev.soloist.operator.core.JobWatchdog;
import dev.soloist.operator.core.LiveJobs;
import dev.soloist.operator.core.PodBoard;
import dev.soloist.operator.core.Store;
import dev.soloist.operator.events.EventRecorder;
import dev.soloist.operator.metrics.JobTally;
import dev.soloist.operator.metrics.OperatorMetrics;
import dev.soloist.operator.store.NamespaceAccess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;

/// What the reconciler works with.
///
/// @param sweepSoon has all pods looked at, also those whose events came before their job was known
/// @param deletionTimeout how long a deletion waits for an unreachable store
/// @param clock for condition times only; what is due is decided by Redis' time
public record JobServices(
        KubernetesClient client,
        Store store,
        LiveJobs jobs,
        PodBoard board,
        NamespaceAccess access,
        EventRecorder events,
        OperatorMetrics metrics,
        JobTally tally,
        Runnable sweepSoon,
        Duration deletionTimeout,
        InstantSource clock) {

    JobSeeding seeding() {
        return new JobSeeding(store);
    }

    JobWatchdog watchdog() {
        return new JobWatchdog(store);
    }

    JobEnding ending(JobWatchdog watchdog) {
        return new JobEnding(store, watchdog);
    }
}
