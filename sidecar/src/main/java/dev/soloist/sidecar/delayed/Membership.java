package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.instance.Adoption;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.Heartbeat;
import dev.soloist.coordination.key.InstanceId;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.shard.Enrolment;
import dev.soloist.coordination.shard.Shard;
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
 * This sidecar's place in one shard of a queue: registers an instance, keeps its lease, and takes a new name with an empty segment
 * when the old one was fenced. Earlier instances of the same pod are fenced and adopted at once, for their process is gone.
 * Thread-safe.
 */
final class Membership implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Membership.class);

    /** A layout that changes this often in a row is left alone for a while. */
    private static final int TRIES = 5;

    private final DelayedJob job;
    private final Shard shard;
    private final Shards shards;
    private final Runnable onSegments;
    private final ReentrantLock lock = new ReentrantLock();
    private final BackgroundLoop loop;
    private volatile @Nullable Member current;
    private volatile Set<String> segments = Set.of();
    private boolean left;

    /** @param epoch of the layout by which it was registered */
    private record Member(InstanceId id, long epoch) {}

    /** {@code onSegments} is called when there may be more segments to look after. */
    Membership(DelayedJob job, Shard shard, Shards shards, Runnable onSegments) {
        this.job = job;
        this.shard = shard;
        this.shards = shards;
        this.onSegments = onSegments;
        this.loop = new BackgroundLoop("instance-" + job.label(), this::runOnce, _ -> job.loopFailed("instance"));
    }

    void start() {
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    /** The registered instance; empty until Redis was reached for the first time. */
    Optional<InstanceId> current() {
        var present = current;
        return present == null ? Optional.empty() : Optional.of(present.id());
    }

    /** Registers now if there was no time for it yet. */
    InstanceId require() {
        var present = current;
        return present == null ? register(null) : present.id();
    }

    /**
     * As {@link #require()}, for who acts on a layout: one that was registered by a later layout must not act on it.
     *
     * @param epoch of the layout
     */
    InstanceId require(long epoch) {
        require();
        var present = current;
        if (present == null || present.epoch() > epoch) {
            throw RedisUnavailable.refused("the number of shards has just changed");
        }
        return present.id();
    }

    /** What to move: the own segment and those adopted. */
    List<String> segments() {
        return List.copyOf(segments);
    }

    /** An answer said that this instance is fenced: take a new name, unless another thread has done so already. */
    InstanceId fenced(InstanceId instance) {
        return register(instance);
    }

    /** An answer said that one of several instances is fenced: as {@link #fenced} if it is this one. */
    void verify(InstanceId instance) {
        if (job.instances().heartbeat(instance, job.pace().instanceLease()) instanceof Heartbeat.Fenced) {
            register(instance);
        }
    }

    private Duration runOnce() {
        if (job.isStoreUsable()) {
            var member = current;
            if (member == null) {
                register(null);
            } else if (job.instances().heartbeat(member.id(), job.pace().instanceLease())
                    instanceof Heartbeat.Alive(List<String> mine, var _)) {
                var now = new LinkedHashSet<>(mine);
                if (!now.equals(segments)) {
                    segments = now;
                    onSegments.run();
                }
            } else if (!job.isEnding()) {
                // On its way out it takes no new name: the job may be deleted, or have a new worker in this very pod.
                register(member.id());
            }
        }
        return Pace.jittered(job.pace().instanceLease().dividedBy(3));
    }

    private InstanceId register(@Nullable InstanceId former) {
        lock.lock();
        try {
            var present = current;
            if (present != null && !present.id().equals(former)) {
                return present.id();
            }
            for (int tried = 0; tried < TRIES && !left; tried++) {
                var layout = shards.route().layout();
                var fresh = InstanceId.create(job.pod().segmentBase());
                var answer = job.store()
                        .enrol(
                                job.definition().id(),
                                layout,
                                shard,
                                fresh,
                                job.pod().name(),
                                job.pace().instanceLease());
                switch (answer) {
                    case Enrolment.Enrolled(List<InstanceId> predecessors) -> {
                        registered(new Member(fresh, layout.epoch()), former, predecessors);
                        return fresh;
                    }
                    case Enrolment.Outdated(var _) -> {
                        shards.refresh();
                        if (!shards.uses(shard)) {
                            throw RedisUnavailable.refused("shard " + shard.number() + " is not in use any more");
                        }
                    }
                    case Enrolment.Fenced() -> throw new IllegalStateException("a new instance was refused");
                }
            }
            if (left) {
                throw new IllegalStateException("a new instance was refused");
            }
            throw RedisUnavailable.refused("the number of shards changes too often");
        } finally {
            lock.unlock();
        }
    }

    private void registered(Member fresh, @Nullable InstanceId former, List<InstanceId> predecessors) {
        if (former != null) {
            job.meters().fenced();
            LOGGER.warn("job {}: instance {} was fenced, goes on as {}", job.label(), former, fresh.id());
        }
        segments = Set.of(fresh.id().value());
        current = fresh;
        predecessors.forEach(dead -> adopt(dead, new Evidence.Terminated()));
    }

    /** Fences an instance if the evidence holds, and takes over its segments. */
    void adopt(InstanceId dead, Evidence evidence) {
        var member = current;
        if (member == null || dead.equals(member.id())) {
            return;
        }
        var living = member.id();
        job.instances().fence(dead, evidence);
        if (job.instances().adopt(dead, living) instanceof Adoption.Adopted(List<String> taken)) {
            var all = new LinkedHashSet<>(segments);
            all.addAll(taken);
            segments = all;
            job.meters().adopted(taken.size());
            LOGGER.info("job {}: looks after {} of the ended instance {}", job.label(), taken, dead);
            onSegments.run();
        }
    }

    /** Forgets an adopted segment that is empty. */
    void drop(String segment) {
        var mine = current;
        if (mine != null && !segment.equals(mine.id().value())) {
            job.instances().drop(mine.id(), segment);
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
                job.instances().leave(mine.id());
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
