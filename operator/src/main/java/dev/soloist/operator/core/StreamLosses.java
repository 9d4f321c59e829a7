package dev.soloist.operator.core;

import dev.soloist.coordination.delayed.stream.StreamState;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.job.DelayedWork;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Transport;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.shard.Layout;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Looks whether a job's stream was lost and made anew, and drops the stream of a job that has changed its transport. A
/// loss is news until the look after the one that found it: if this process dies in between it is told twice, never not
/// at all. Thread-safe.
public final class StreamLosses {

    private final Store store;
    private final Map<JobId, Long> found = new ConcurrentHashMap<>();

    public StreamLosses(Store store) {
        this.store = store;
    }

    /// What is to be told; empty when there is no news.
    ///
    /// @param layout of a delayed job's tasks
    /// @throws dev.soloist.coordination.link.RedisUnavailable if Redis does not answer; look again later
    public Optional<StreamState> look(JobDefinition job, Layout layout) {
        if (!(job.work() instanceof DelayedWork work)) {
            return Optional.empty();
        }
        return switch (work.transport()) {
            case Transport.ReadyList() -> {
                store.removeStream(job.id(), layout);
                found.remove(job.id());
                yield Optional.empty();
            }
            case Transport.Stream _ -> store.queue(job, layout).stream().flatMap(stream -> look(job.id(), stream));
        };
    }

    private Optional<StreamState> look(JobId job, TaskStream stream) {
        var told = found.remove(job);
        var state = told == null ? stream.state() : stream.told(told);
        if (state.losses() <= state.told()) {
            return Optional.empty();
        }
        found.put(job, state.losses());
        return Optional.of(state);
    }
}
