package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the sizes of the queue now and then, so that a scrape need not ask Redis. */
final class DepthReader implements AutoCloseable {

    private final DelayedJob job;
    private final Shards shards;
    private final BackgroundLoop loop;

    DepthReader(DelayedJob job, Shards shards) {
        this.job = job;
        this.shards = shards;
        this.loop = new BackgroundLoop("depth-" + job.name(), this::runOnce, _ -> job.loopFailed("depth"));
    }

    void start() {
        loop.start();
    }

    /** The sizes as Redis has them now, those of all shards together. */
    QueueCounts read() {
        var route = shards.route();
        // Several shards know their segments themselves.
        return route.whole().counts(route.layout().isSingle() ? job.instances().segments() : List.of());
    }

    /** When the first entry of any segment is due; a task that was moved or cancelled may show under its old due until then. */
    Optional<Instant> head() {
        shards.route();
        return shards.workers().stream()
                .flatMap(worker -> head(worker.job()).stream())
                .min(Comparator.naturalOrder());
    }

    private static Optional<Instant> head(DelayedJob shard) {
        var id = shard.definition().id();
        var keys = shard.keys();
        return Stream.concat(
                        shard.instances().segments().stream().map(name -> keys.segment(id, name)),
                        Stream.of(keys.sharedSegment(id)))
                .flatMap(key -> score(shard.link().call("ZRANGE", key, "0", "0", "WITHSCORES")).stream())
                .min(Comparator.naturalOrder());
    }

    /** The last element of a reply that is empty, flat or nested, with the score as a number or as text. */
    private static Optional<Instant> score(List<?> reply) {
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        return switch (reply.getLast()) {
            case List<?> pair -> score(pair);
            case Number number -> Optional.of(Instant.ofEpochMilli(number.longValue()));
            case byte[] text ->
                Optional.of(
                        Instant.ofEpochMilli((long) Double.parseDouble(new String(text, StandardCharsets.US_ASCII))));
            case null, default -> Optional.empty();
        };
    }

    private Duration runOnce() {
        if (job.isStoreUsable()) {
            var counts = read();
            job.meters().depth("pending", counts.pending());
            job.meters().depth("ready", counts.ready());
            job.meters().depth("inFlight", counts.inFlight());
            job.meters().depth("dead", counts.dead());
            job.meters().oldestOverdue(counts.oldestOverdue());
            job.queue().stream().ifPresent(stream -> job.meters().stream(stream.state()));
        }
        return Pace.jittered(job.pace().counts());
    }

    @Override
    public void close() {
        loop.close();
    }
}
