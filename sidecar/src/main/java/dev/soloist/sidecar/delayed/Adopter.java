package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;

/**
 * Looks after instances that nobody looks after: adopts those that resigned or were fenced, and fences those whose lease has been over
 * for long. A sidecar knows nothing of pods, so silence is its only evidence; the operator, which sees more, is quicker.
 */
final class Adopter implements AutoCloseable {

    private final DelayedJob job;
    private final Membership membership;
    private final BackgroundLoop loop;

    Adopter(DelayedJob job, Membership membership) {
        this.job = job;
        this.membership = membership;
        this.loop = new BackgroundLoop("adopter-" + job.label(), this::runOnce, _ -> job.loopFailed("adopter"));
    }

    void start() {
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    private Duration runOnce() {
        if (job.isStoreUsable()) {
            var mine = membership.require();
            var silence = new Evidence.LeaseOver(job.pace().adoptAfter());
            for (var other : job.instances().list()) {
                boolean ended = other.state() == InstanceView.State.FENCED
                        || other.overFor().compareTo(job.pace().adoptAfter()) > 0;
                if (ended && !other.id().equals(mine)) {
                    membership.adopt(other.id(), silence);
                }
            }
        }
        return Pace.jittered(job.pace().adopt());
    }

    @Override
    public void close() {
        loop.close();
    }
}
