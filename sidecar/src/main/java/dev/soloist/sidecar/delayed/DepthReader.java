package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.QueueCounts;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;

/** Reads the sizes of the queue now and then, so that a scrape need not ask Redis. */
final class DepthReader implements AutoCloseable {

    private final DelayedJob job;
    private final BackgroundLoop loop;

    DepthReader(DelayedJob job) {
        this.job = job;
        this.loop = new BackgroundLoop("depth-" + job.name(), this::runOnce, _ -> job.loopFailed("depth"));
    }

    void start() {
        loop.start();
    }

    /** The sizes as Redis has them now. */
    QueueCounts read() {
        var segments = job.instances().list().stream()
                .flatMap(view -> view.segments().stream())
                .toList();
        return job.queue().counts(segments);
    }

    private Duration runOnce() {
        if (job.link().isConnected()) {
            var counts = read();
            job.meters().depth("pending", counts.pending());
            job.meters().depth("ready", counts.ready());
            job.meters().depth("inFlight", counts.inFlight());
            job.meters().depth("dead", counts.dead());
            job.meters().oldestOverdue(counts.oldestOverdue());
        }
        return Pace.jittered(job.pace().counts());
    }

    @Override
    public void close() {
        loop.close();
    }
}
