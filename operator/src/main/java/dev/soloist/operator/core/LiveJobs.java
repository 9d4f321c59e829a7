package dev.soloist.operator.core;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.key.JobId;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The jobs that are in force, as this process knows them. Lost at a restart and rebuilt by the first reconciles.
/// Thread-safe.
public final class LiveJobs {

    /// A job and the pods it is meant for.
    ///
    /// @param matchLabels labels that a pod must carry, all of them
    public record LiveJob(JobDefinition definition, Map<String, String> matchLabels) {
        public LiveJob {
            matchLabels = Map.copyOf(matchLabels);
        }
    }

    private final Map<JobId, LiveJob> jobs = new ConcurrentHashMap<>();

    /// Enters a job or its newer definition.
    ///
    /// @return whether the set of pods it is meant for may have changed
    public boolean put(LiveJob job) {
        var before = jobs.put(job.definition().id(), job);
        return before == null || !before.matchLabels().equals(job.matchLabels());
    }

    public void remove(JobId job) {
        jobs.remove(job);
    }

    /// Whether a job is in force as far as this process knows.
    public boolean knows(JobId job) {
        return jobs.containsKey(job);
    }

    public Collection<JobDefinition> of(String namespace) {
        return jobs.values().stream()
                .map(LiveJob::definition)
                .filter(job -> job.id().namespace().equals(namespace))
                .toList();
    }

    public Set<String> namespaces() {
        return jobs.keySet().stream().map(JobId::namespace).collect(Collectors.toUnmodifiableSet());
    }

    /// Names of the jobs that a pod takes part in.
    public Set<String> jobsFor(PodFacts pod) {
        return jobs.values().stream()
                .filter(job -> job.definition().id().namespace().equals(pod.namespace()))
                .filter(job -> pod.matches(job.matchLabels()))
                .map(job -> job.definition().id().name())
                .collect(Collectors.toUnmodifiableSet());
    }
}
