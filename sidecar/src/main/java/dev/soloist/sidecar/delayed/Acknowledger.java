package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Ack;
import dev.soloist.coordination.delayed.Held;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.sidecar.store.UntilAnswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends handled tasks in batches, as often as it takes to be answered. What is not answered when the process ends is delivered again. */
final class Acknowledger implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Acknowledger.class);
    private static final int BATCH = 100;
    private static final Backoff BETWEEN_TRIES = new Backoff(Duration.ofMillis(50), 2, Duration.ofSeconds(2));

    private record Handled(Held held, Duration took) {}

    private final DelayedJob job;
    private final LinkedBlockingQueue<Handled> handled = new LinkedBlockingQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final Thread thread;

    Acknowledger(DelayedJob job) {
        this.job = job;
        this.thread = Thread.ofVirtual().name("ack-" + job.label()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void done(Held held, Duration took) {
        open.incrementAndGet();
        handled.add(new Handled(held, took));
    }

    /** Handled tasks that Redis has not been told of yet. */
    int open() {
        return open.get();
    }

    private void run() {
        try {
            while (true) {
                var batch = new ArrayList<Handled>();
                batch.add(handled.take());
                handled.drainTo(batch, BATCH - 1);
                acknowledge(batch);
                open.addAndGet(-batch.size());
                job.ended().raise();
            }
        } catch (InterruptedException closed) {
            LOGGER.debug("job {}: acknowledger ends with {} open", job.name(), open);
        }
    }

    private void acknowledge(List<Handled> batch) throws InterruptedException {
        var held = batch.stream().map(Handled::held).toList();
        try {
            var answers = UntilAnswered.call(() -> job.queue().ack(held), BETWEEN_TRIES, _ -> true);
            for (int i = 0; i < answers.size(); i++) {
                job.meters()
                        .delivered(
                                answers.get(i) == Ack.STALE ? "stale" : "acked",
                                batch.get(i).took());
            }
        } catch (RuntimeException broken) {
            job.loopFailed("ack");
            LOGGER.error(
                    "job {}: {} tasks cannot be acknowledged and will be delivered again",
                    job.name(),
                    held.size(),
                    broken);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
