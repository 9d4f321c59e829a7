package dev.soloist.sidecar.singleton;

import dev.soloist.coordination.singleton.SingletonLease;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.trigger.App;
import dev.soloist.sidecar.trigger.AppRequest;
import dev.soloist.sidecar.trigger.AppResponse;
import dev.soloist.sidecar.trigger.CancelAnswer;
import dev.soloist.sidecar.trigger.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run from the grant to the point where nothing of it is at work any more, as far as that can be known: the lease is checked
 * right before the trigger, kept by a heartbeat meanwhile, and when it must be taken for lost the call is cut off and the app is told.
 * Used once. {@link #stop} may come from any thread.
 */
final class Run {

    private static final Logger LOGGER = LoggerFactory.getLogger(Run.class);
    private static final Duration BETWEEN_CANCELS = Duration.ofSeconds(1);

    private final LeaseScripts scripts;
    private final App app;
    private final int missed;
    private final AtomicReference<SingletonLease> lease;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable AppResponse response;
    private @Nullable StopCause stopped;
    private boolean shuttingDown;
    private volatile @Nullable Heartbeat heartbeat;

    Run(LeaseScripts scripts, App app, SingletonLease lease, int missed) {
        this.scripts = scripts;
        this.app = app;
        this.missed = missed;
        this.lease = new AtomicReference<>(lease);
    }

    /** The sidecar is told to end: the run may go on for now, but an app that does not listen any more has ended. */
    void shuttingDown() {
        lock.lock();
        try {
            shuttingDown = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Asks Redis now how the lease stands, instead of at the next beat. */
    void renewNow() {
        var beating = heartbeat;
        if (beating != null) {
            beating.beat();
        }
    }

    /** Cuts the run short; the first cause counts. */
    void stop(StopCause cause) {
        lock.lock();
        try {
            if (stopped == null) {
                stopped = cause;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs.
     *
     * @param redisNow Redis' time by estimate
     * @return how it ended; nothing of it is at work any more, or its lease is over
     */
    RunEnd execute(Instant redisNow) throws InterruptedException {
        var policy = scripts.policy();
        long begun = System.nanoTime();
        if (!lease.get().isValidAt(begun)) {
            return ended(new RunEnd.Stopped(StopCause.DEADLINE_PASSED));
        }
        var timeout = Pace.earlier(
                scripts.job().trigger().timeout(), policy.maxRunTime().plusSeconds(1));
        var call = app.start(scripts.job().trigger(), headers(redisNow), AppRequest.NO_BODY, timeout);
        RunEnd end;
        var beating = policy.heartbeat() ? new Heartbeat(scripts, lease, this::stop).start() : null;
        heartbeat = beating;
        try {
            Thread.ofVirtual().name("trigger-" + scripts.job().id().name()).start(() -> answered(call.execute()));
            end = await(begun + policy.maxRunTime().toNanos());
        } finally {
            call.abort();
            heartbeat = null;
            if (beating != null) {
                beating.close();
            }
        }
        return ended(end);
    }

    private Map<String, String> headers(Instant redisNow) {
        var grant = scripts.grant();
        var longest =
                Pace.earlier(scripts.job().trigger().timeout(), scripts.policy().maxRunTime());
        var headers = new LinkedHashMap<String, String>();
        headers.put("Soloist-Job", scripts.job().id().name());
        headers.put("Soloist-Run", scripts.runId());
        headers.put("Soloist-Fence", grant.fence().toString());
        headers.put("Soloist-Attempt", Integer.toString(grant.attempt()));
        headers.put("Soloist-Scheduled-At", Rfc3339.write(grant.scheduledAt()));
        headers.put("Soloist-Missed", Integer.toString(missed));
        headers.put("Soloist-Deadline", Rfc3339.write(redisNow.plus(longest)));
        return headers;
    }

    private void answered(AppResponse answer) {
        lock.lock();
        try {
            response = answer;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private RunEnd await(long maxRunEnd) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                long now = System.nanoTime();
                if (response != null) {
                    // Also when the lease is over by now: the app has stopped, and whether its result counts is for
                    // Redis to say.
                    return new RunEnd.Judged(Verdict.of(response));
                }
                if (stopped != null) {
                    return new RunEnd.Stopped(stopped);
                }
                if (!lease.get().isValidAt(now)) {
                    return new RunEnd.Stopped(StopCause.DEADLINE_PASSED);
                }
                if (now - maxRunEnd >= 0) {
                    return new RunEnd.Stopped(StopCause.MAX_RUN_TIME);
                }
                var _ = changed.awaitNanos(Math.min(lease.get().deadlineNanos() - now, maxRunEnd - now));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes sure that the app has stopped, or waits until the lease is over, whatever ends the doubt first. */
    private RunEnd ended(RunEnd end) throws InterruptedException {
        boolean doubt = end instanceof RunEnd.Stopped || end instanceof RunEnd.Judged(Verdict.Unclear(var _));
        if (doubt) {
            LOGGER.warn(
                    "run {} of job {} is cancelled: {}",
                    scripts.runId(),
                    scripts.job().id(),
                    end);
            awaitEndOfDoubt();
        }
        return end;
    }

    private void awaitEndOfDoubt() throws InterruptedException {
        long leaseEnd = lease.get().deadlineNanos()
                + SingletonLease.margin(scripts.policy().ttl()).toNanos();
        while (true) {
            var left = Duration.ofNanos(Math.max(
                    leaseEnd - System.nanoTime(), Duration.ofMillis(200).toNanos()));
            var answer = app.cancel(scripts.job().trigger(), "run", scripts.runId(), left);
            if (answer == CancelAnswer.ACKNOWLEDGED || (answer == CancelAnswer.APP_ABSENT && isShuttingDown())) {
                // The kubelet ends a native sidecar after the app's containers: told to end, and nobody listening, is
                // an ended app.
                return;
            }
            long now = System.nanoTime();
            if (leaseEnd - now <= 0) {
                LOGGER.warn("run {}: the app did not acknowledge the cancel until its lease was over", scripts.runId());
                return;
            }
            pause(Math.min(leaseEnd - now, BETWEEN_CANCELS.toNanos()));
        }
    }

    private boolean isShuttingDown() {
        lock.lock();
        try {
            return shuttingDown;
        } finally {
            lock.unlock();
        }
    }

    /** Waits between two cancels, less long when the sidecar is told to end meanwhile. */
    private void pause(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean told = shuttingDown;
            long left = nanos;
            while (left > 0 && told == shuttingDown) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
