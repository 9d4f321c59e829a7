package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.SweepRequest;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;

/** Takes back tasks whose visibility is over, whoever held them. Any number of sidecars sweep; each task comes back once. */
final class Sweeper implements AutoCloseable {

    private final DelayedJob job;
    private final Membership membership;
    private final Mover mover;
    private final BackgroundLoop loop;

    Sweeper(DelayedJob job, Membership membership, Mover mover) {
        this.job = job;
        this.membership = membership;
        this.mover = mover;
        this.loop = new BackgroundLoop("sweeper-" + job.label(), this::runOnce, _ -> job.loopFailed("sweeper"));
    }

    void start() {
        loop.start();
    }

    private Duration runOnce() {
        var work = job.work();
        if (job.isStoreUsable()) {
            boolean more = true;
            while (more) {
                var request = new SweepRequest(100, work.backoff(), work.mostReservations());
                var swept = job.queue().sweep(membership.require(), request);
                more = swept.more();
                if (swept.nextDue() != null) {
                    mover.wake();
                }
            }
            boolean rest = true;
            while (rest) {
                rest = job.queue().purge().mayFindMore();
            }
        }
        return Pace.jittered(work.lookEvery());
    }

    @Override
    public void close() {
        loop.close();
    }
}
