package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.instance.Adoption;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.instance.Registering;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.sidecar.jobs.Pace;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This sidecar's place in one queue: registers an instance, keeps its lease, and takes a new name with an empty segment when the old
 * one was fenced. Earlier instances of the same pod are fenced and adopted at once, for their process is gone. Thread-safe.
 */
final class Membership implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Membership.class);

    private final DelayedJob job;
    private final Runnable onSegments;
    private final ReentrantLock lock = new ReentrantLock();
    private final BackgroundLoop loop;
    private volatile @Nullable InstanceId current;
    private volatile Set<String> segments = Set.of();
    private boolean left;

    /** {@code onSegments} is called when there may be more segments to look after. */
    Membership(DelayedJob job, Runnable onSegments) {
        this.job = job;
        this.onSegments = onSegments;
        this.loop = new BackgroundLoop("instance-" + job.name(), this::runOnce, _ -> job.loopFailed("instance"));
    }

    void start() {
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    /** The registered instance; empty until Redis was reached for the first time. */
    Optional<InstanceId> current() {
        return Optional.ofNullable(current);
    }

    /** Registers now if there was no time for it yet. */
    InstanceId require() {
        var present = current;
        return present == null ? register(null) : present;
    }

    /** What to move: the own segment and those adopted. */
    List<String> segments() {
        return List.copyOf(segments);
    }

    /** An answer said that this instance is fenced: take a new name, unless another thread has done so already. */
    InstanceId fenced(InstanceId instance) {
        return register(instance);
    }

    private Duration runOnce() {
        if (job.isStoreUsable()) {
            var instance = current;
            if (instance == null) {
                register(null);
            } else if (job.instances().heartbeat(instance, job.pace().instanceLease())
                    instanceof Heartbeat.Alive(List<String> mine, var _)) {
                var now = new LinkedHashSet<>(mine);
                if (!now.equals(segments)) {
                    segments = now;
                    onSegments.run();
                }
            } else if (!job.isEnding()) {
                // On its way out it takes no new name: the job may be deleted, or have a new worker in this very pod.
                register(instance);
            }
        }
        return Pace.jittered(job.pace().instanceLease().dividedBy(3));
    }

    private InstanceId register(@Nullable InstanceId former) {
        lock.lock();
        try {
            var present = current;
            if (present != null && !present.equals(former)) {
                return present;
            }
            var fresh = InstanceId.create(job.pod().segmentBase());
            if (!left
                    && job.instances()
                                    .register(
                                            fresh, job.pod().name(), job.pace().instanceLease())
                            instanceof Registering.Registered(List<InstanceId> predecessors)) {
                if (former != null) {
                    job.meters().fenced();
                    LOGGER.warn("job {}: instance {} was fenced, goes on as {}", job.name(), former, fresh);
                }
                segments = Set.of(fresh.value());
                current = fresh;
                predecessors.forEach(dead -> adopt(dead, new Evidence.Terminated()));
                return fresh;
            }
            throw new IllegalStateException("a new instance was refused");
        } finally {
            lock.unlock();
        }
    }

    /** Fences an instance if the evidence holds, and takes over its segments. */
    void adopt(InstanceId dead, Evidence evidence) {
        var living = current;
        if (living == null || dead.equals(living)) {
            return;
        }
        job.instances().fence(dead, evidence);
        if (job.instances().adopt(dead, living) instanceof Adoption.Adopted(List<String> taken)) {
            var all = new LinkedHashSet<>(segments);
            all.addAll(taken);
            segments = all;
            job.meters().adopted(taken.size());
            LOGGER.info("job {}: looks after {} of the ended instance {}", job.name(), taken, dead);
            onSegments.run();
        }
    }

    /** Forgets an adopted segment that is empty. */
    void drop(String segment) {
        var mine = current;
        if (mine != null && !segment.equals(mine.value())) {
            job.instances().drop(mine, segment);
            var fewer = new LinkedHashSet<>(segments);
            fewer.remove(segment);
            segments = fewer;
        }
    }

    /** Resigns: anybody may adopt the segments at once. */
    void leave() {
        lock.lock();
        try {
            left = true;
            var mine = current;
            if (mine != null && job.isStoreUsable()) {
                job.instances().leave(mine);
            }
        } catch (RedisUnavailable unanswered) {
            LOGGER.warn(
                    "job {}: could not resign, others adopt when the lease is over: {}",
                    job.name(),
                    unanswered.getMessage());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
