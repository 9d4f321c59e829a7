package dev.soloist.operator.local;

import java.io.IOException;
import java.time.Duration;

/// What is on show, and what its scripts may do with it.
///
/// @param cluster with its pods ready
record Show(LocalCluster cluster, Plan plan, Probes probes, Ledger ledger, Timeline timeline) {

    /// Hands a task in through a pod. A sidecar that cannot take it yet says so, and is asked again.
    ///
    /// @param deadline of [System#nanoTime()]
    /// @throws IOException if it was not accepted
    void enqueue(LocalPod pod, String job, String id, Duration delay, long deadline)
            throws IOException, InterruptedException {
        var accepted = probes.enqueue(pod, job, id, delay);
        while (accepted.isEmpty()) {
            if (!ledger.pause(deadline)) {
                throw new IOException("the sidecar of " + pod.name() + " accepts no task");
            }
            accepted = probes.enqueue(pod, job, id, delay);
        }
        ledger.accepted(accepted.get());
        timeline.say(
                "enqueue", job + " " + id + ": due in " + delay.toSeconds() + " s, handed in through " + pod.name());
    }

    /// Waits until a started pod is ready.
    ///
    /// @param deadline of [System#nanoTime()]
    /// @return whether it became ready
    boolean awaitReady(LocalPod pod, long deadline) {
        try {
            return ledger.await(_ -> pod.alive() && probes.ready(pod), deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
