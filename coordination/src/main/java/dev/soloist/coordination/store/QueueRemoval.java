package dev.soloist.coordination.store;

import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.key.RedisKeys;
import dev.soloist.coordination.link.RedisLink;
import java.util.List;
import java.util.stream.Stream;

/** Removes all that a server with scripts keeps of one job's tasks. Repeat it when no answer came. */
final class QueueRemoval {

    private final RedisLink link;
    private final RedisKeys keys;

    QueueRemoval(RedisLink link, RedisKeys keys) {
        this.link = link;
        this.keys = keys;
    }

    void remove(JobId job, int shard, Instances instances) {
        Stream<String> segments = instances.segments().stream().map(segment -> keys.segment(job, segment));
        var fixed = List.of(
                keys.tasks(job),
                keys.attempts(job),
                keys.sharedSegment(job),
                keys.readyList(job, 0),
                keys.readyList(job, 1),
                keys.readyList(job, 2),
                keys.inFlight(job),
                keys.done(job),
                keys.doneExpiry(job),
                keys.dead(job),
                keys.queueLog(job),
                keys.deduplication(job),
                keys.deduplicationExpiry(job),
                keys.starts(job),
                keys.instanceLeases(job),
                keys.instanceMembers(job),
                keys.reservations(job),
                keys.taskStream(job),
                keys.streamEntries(job),
                keys.streamMark(job));
        var layout = shard == 0 ? Stream.of(keys.layout(job)) : Stream.<String>empty();
        // The server frees the memory beside its other work.
        link.call(
                "UNLINK",
                Stream.of(fixed.stream(), segments, layout)
                        .flatMap(names -> names)
                        .toArray(String[]::new));
    }
}
