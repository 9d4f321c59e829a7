package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.singleton.Renewal;
import dev.soloist.coordination.singleton.SingletonLease;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease of one run on a platform thread of its own, so that no other work can starve it. A renewal that fails is repeated
 * soon and loses nothing by itself; a lost lease is told once. After {@link #close()} no renewal is sent any more.
 */
final class Heartbeat implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Heartbeat.class);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(250);

    private final LeaseScripts lease;
    private final AtomicReference<SingletonLease> held;
    private final Consumer<StopCause> onStop;
    private final BackgroundLoop loop;
    private boolean over;
    private boolean begun;
    private boolean unacknowledged;

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

    private Duration answered(Acknowledged<Renewal> renewal, long sent) {
        switch (renewal.answer()) {
            case Renewal.Renewed(Duration remaining, boolean cancelRequested) -> {
                if (renewal.enough()) {
                    lease.meters().renewal("renewed");
                    held.updateAndGet(
                            old -> old.renewed(sent, remaining, lease.policy().ttl()));
                    unacknowledged = false;
                } else {
                    notAcknowledged();
                }
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
        var every = lease.policy().heartbeatEvery();
        return unacknowledged ? Pace.earlier(AFTER_FAILURE, every) : Pace.jittered(every);
    }

    /**
     * The primary has it and too few replicas do: a failover may bring back the lease as it was before, and another pod may
     * take it then. So the deadline stays, and the run stops there if no renewal comes through.
     */
    private void notAcknowledged() {
        lease.meters().renewal("unacknowledged");
        if (!unacknowledged) {
            LOGGER.warn(
                    "run {}: too few replicas acknowledge its renewal; it is stopped at the end of its lease unless they do",
                    lease.runId());
        }
        unacknowledged = true;
    }

    @Override
    public void close() {
        loop.close();
        lease.renewTimers().decrementAndGet();
    }
}
