package dev.soloist.operator.core;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.registration.Assignment;
import dev.soloist.operator.core.PodFacts.Participation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Tells pods which jobs they take part in, through Redis. Writing the same again changes nothing. Thread-safe.
public final class PodBoard {

    /// By then the first pass over each job is done, or the job is none any more.
    private static final Duration MEETING_JOBS = Duration.ofMinutes(2);

    private final Store store;
    private final LiveJobs jobs;
    private final Set<String> settled = ConcurrentHashMap.newKeySet();
    private final AtomicLong begun = new AtomicLong();

    public PodBoard(Store store, LiveJobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    /// Writes what follows from the facts about a pod. One that was on the board and takes part in nothing any more is
    /// told so in words: a sidecar that finds no entry takes the board for lost, and goes on with what it was told
    /// last.
    ///
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    public void write(PodFacts pod) {
        var names = new HashSet<>(jobs.jobsFor(pod));
        if (names.isEmpty() || !isSettled(pod.namespace())) {
            var before = store.registrations().read(pod.namespace(), pod.uid());
            before.jobs().stream()
                    .map(JobDefinition::id)
                    .filter(job -> !jobs.knows(job))
                    .forEach(job -> names.add(job.name()));
            if (names.isEmpty() && !before.known()) {
                return;
            }
        }
        var eligible = pod.participation() == Participation.READY && pod.stage() == PodFacts.Stage.LIVE;
        store.registrations().assign(pod.namespace(), pod.uid(), new Assignment(pod.name(), eligible, names));
    }

    /// A process that has just begun meets the jobs one by one. Until it has met all that are published,
    /// it takes none from a pod that it has not met: else, at every restart of the operator, the pod
    /// would drop the job and refuse its app's tasks until the first pass over it.
    private boolean isSettled(String namespace) {
        long now = System.nanoTime();
        begun.compareAndSet(0, now);
        if (now - begun.get() > MEETING_JOBS.toNanos() || settled.contains(namespace)) {
            return true;
        }
        boolean metAll = store.registrations().published(namespace).stream()
                .allMatch(name -> jobs.knows(new JobId(namespace, name)));
        if (metAll) {
            settled.add(namespace);
        }
        return metAll;
    }

    /// Forgets a pod that is gone. Should its sidecar still live on a node that nobody hears from, it goes on as it was
    /// told last, under leases like any other.
    public void remove(String namespace, String podUid) {
        store.registrations().unassign(namespace, podUid);
    }
}
