package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.Moved;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Makes due tasks ready: of the own segment, of adopted ones, and of the shared one. Sleeps until the first of them is due; the own
 * enqueues wake it, a ceiling covers the rest.
 */
final class Mover implements AutoCloseable {

    private static final int BATCH = 500;

    private final DelayedJob job;
    private final Membership membership;
    private final BackgroundLoop loop;

    Mover(DelayedJob job, Membership membership) {
        this.job = job;
        this.membership = membership;
        this.loop = new BackgroundLoop("mover-" + job.label(), this::runOnce, _ -> job.loopFailed("mover"));
    }

    void start() {
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    private Duration runOnce() {
        var ceiling = Pace.jittered(job.pace().queue());
        if (!job.isStoreUsable()) {
            return ceiling;
        }
        var wait = ceiling;
        for (var segment : membership.segments()) {
            var last = drain(() -> job.queue().move(segment, BATCH));
            if (last.nextHead() == null) {
                membership.drop(segment);
            }
            wait = Pace.earlier(wait, last.untilNext(ceiling));
        }
        return Pace.earlier(wait, drain(() -> job.queue().moveShared(BATCH)).untilNext(ceiling));
    }

    private Moved drain(Supplier<Moved> move) {
        while (true) {
            var moved = move.get();
            job.meters().moved(moved.count());
            if (moved.count() < BATCH) {
                return moved;
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
