package dev.soloist.operator.core;

import dev.soloist.coordination.registration.Assignment;
import dev.soloist.operator.core.PodFacts.Participation;

/// Tells pods which jobs they take part in, through Redis. Writing the same again changes nothing. Thread-safe.
public final class PodBoard {

    private final Store store;
    private final LiveJobs jobs;

    public PodBoard(Store store, LiveJobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    /// Writes what follows from the facts about a pod. A pod without any job is taken off the board.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    public void write(PodFacts pod) {
        var names = jobs.jobsFor(pod);
        if (names.isEmpty()) {
            remove(pod.namespace(), pod.uid());
            return;
        }
        var eligible = pod.participation() == Participation.READY && pod.stage() == PodFacts.Stage.LIVE;
        store.registrations().assign(pod.namespace(), pod.uid(), new Assignment(pod.name(), eligible, names));
    }

    /// Takes a pod off the board; its sidecar, if it still lives, begins nothing new.
    public void remove(String namespace, String podUid) {
        store.registrations().unassign(namespace, podUid);
    }
}
