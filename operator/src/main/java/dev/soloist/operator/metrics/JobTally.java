package dev.soloist.operator.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts jobs by readiness, and pods that lack a sidecar, over all jobs. Thread-safe.
public final class JobTally {

    private record Entry(boolean ready, int uninjectedPods) {}

    private final Map<String, Entry> jobs = new ConcurrentHashMap<>();

    /// Enters or updates one job.
    ///
    /// @param uid of the object
    public void put(String uid, boolean ready, int uninjectedPods) {
        jobs.put(uid, new Entry(ready, uninjectedPods));
    }

    public void remove(String uid) {
        jobs.remove(uid);
    }

    /// Forgets all: somebody else leads now.
    public void clear() {
        jobs.clear();
    }

    double ready() {
        return jobs.values().stream().filter(Entry::ready).count();
    }

    double notReady() {
        return jobs.size() - ready();
    }

    double uninjectedPods() {
        return jobs.values().stream().mapToInt(Entry::uninjectedPods).sum();
    }
}
