package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.SingletonLease;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Renews the lease of one run on a platform thread of its own, so that no other work can starve it. A renewal that fails is repeated
 * soon and loses nothing by itself; a lost lease is told once. After {@link #close()} no renewal is sent any more.
 */
final class Heartbeat implements AutoCloseable {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(250);

    private final LeaseScripts lease;
    private final AtomicReference<SingletonLease> held;
    private final Consumer<StopCause> onStop;
    private final BackgroundLoop loop;
    private boolean over;
    private boolean begun;

    Heartbeat(LeaseScripts lease, AtomicReference<SingletonLease> held, Consumer<StopCause> onStop) {
        this.lease = lease;
        this.held = held;
        this.onStop = onStop;
        this.loop = new BackgroundLoop(
                "heartbeat-" + lease.job().id().name(),
                this::runOnce,
                _ -> lease.meters().renewal("error"),
                Thread.ofPlatform().daemon());
    }

    Heartbeat start() {
        lease.renewTimers().incrementAndGet();
        loop.start();
        return this;
    }

    /** Renews now instead of at the next beat: somebody may have asked the run to stop. */
    void beat() {
        loop.wake();
    }

    private Duration runOnce() {
        if (over) {
            return Duration.ofHours(1);
        }
        if (!begun) {
            begun = true;
            return Pace.jittered(lease.policy().heartbeatEvery());
        }
        try {
            long sent = System.nanoTime();
            return answered(lease.renew(), sent);
        } catch (RedisUnavailable unanswered) {
            lease.meters().renewal("error");
            return Pace.earlier(AFTER_FAILURE, lease.policy().heartbeatEvery());
        }
    }

    private Duration answered(Renewal renewal, long sent) {
        switch (renewal) {
            case Renewal.Renewed(Duration remaining, boolean cancelRequested) -> {
                lease.meters().renewal("renewed");
                held.updateAndGet(
                        old -> old.renewed(sent, remaining, lease.policy().ttl()));
                if (cancelRequested) {
                    over = true;
                    onStop.accept(StopCause.CANCEL_REQUESTED);
                }
            }
            case Renewal.Lost(Renewal.Cause cause) -> {
                lease.meters().renewal("lost");
                over = true;
                onStop.accept(cause == Renewal.Cause.RECORD ? StopCause.RECORD_LOST : StopCause.LEASE_LOST);
            }
        }
        return Pace.jittered(lease.policy().heartbeatEvery());
    }

    @Override
    public void close() {
        loop.close();
        lease.renewTimers().decrementAndGet();
    }
}
