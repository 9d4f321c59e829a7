package dev.soloist.operator.core;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.JobId;

/// Tells one life of the data set that a job lives in from the next; in a Cluster each server has its own. After a
/// restart or a promotion the server may have
/// lost its newest writes, and both change `run_id` or `master_replid`. Read anew each time: a server that is made
/// a replica and a primary again loses writes without losing its connections. Thread-safe.
final class ServerIdentity {

    private final Store store;

    ServerIdentity(Store store) {
        this.store = store;
    }

    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer
    String of(JobId job, Backend backend) {
        var key = store.record(job, backend);
        return field(key, "server", "run_id") + "." + field(key, "replication", "master_replid");
    }

    private String field(String key, String section, String name) {
        return store.link()
                .info(section, key)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .map(id -> id.substring(0, Math.min(12, id.length())))
                .findFirst()
                .orElse("unknown");
    }
}
