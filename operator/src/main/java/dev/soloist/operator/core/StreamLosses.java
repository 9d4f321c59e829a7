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
///
/// What was told counts for the stream it was told of: neither for that of a job made again under the same name, nor
/// for
/// one whose count has begun anew because all was lost.
public final class StreamLosses {

    /// @param uid of the job
    private record Found(String uid, long losses) {}

    private final Store store;
    private final Map<JobId, Found> found = new ConcurrentHashMap<>();

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
            case Transport.Stream _ -> store.queue(job, layout).stream().flatMap(stream -> look(job, stream));
        };
    }

    private Optional<StreamState> look(JobDefinition job, TaskStream stream) {
        var told = found.remove(job.id());
        var state = stream.state();
        if (told != null && told.uid().equals(job.uid()) && told.losses() <= state.losses()) {
            state = stream.told(told.losses());
        }
        if (state.losses() <= state.told()) {
            return Optional.empty();
        }
        found.put(job.id(), new Found(job.uid(), state.losses()));
        return Optional.of(state);
    }
}
