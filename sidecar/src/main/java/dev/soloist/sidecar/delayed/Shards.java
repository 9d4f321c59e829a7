package dev.soloist.sidecar.delayed;

import dev.soloist.coordination.delayed.QueueLimits;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.loop.BackgroundLoop;
import dev.soloist.coordination.shard.Placing;
import dev.soloist.coordination.shard.Shard;
import dev.soloist.coordination.shard.ShardedQueue;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.trigger.App;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of one job, with a worker each, as many as the layout in Redis says. The layout is read when this begins, when the
 * definition asks for another number, when an instance was fenced, and as long as tasks may lie where a former layout put them;
 * otherwise hardly ever. Thread-safe.
 */
final class Shards implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Shards.class);
    /** Between two looks when nothing points to a change. */
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final DelayedJob job;
    private final App app;
    private final Room room;
    private final Runnable onReconnect;
    private final Map<Integer, ShardWorker> workers = new ConcurrentSkipListMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final BackgroundLoop loop;
    private volatile @Nullable Route route;
    private boolean started;
    private boolean closed;

    Shards(DelayedJob job, App app, Room room, Runnable onReconnect) {
        this.job = job;
        this.app = app;
        this.room = room;
        this.onReconnect = onReconnect;
        this.loop = new BackgroundLoop("shards-" + job.name(), this::runOnce, _ -> job.loopFailed("shards"));
    }

    /** The first shard begins at once, for there is always one; the others when the layout is known. */
    void start() {
        lock.lock();
        try {
            started = true;
            add(1);
        } finally {
            lock.unlock();
        }
        loop.start();
    }

    void wake() {
        loop.wake();
    }

    Collection<ShardWorker> workers() {
        return workers.values();
    }

    /** By which layout to act now; reads it if it never was. */
    Route route() {
        var known = route;
        return known == null ? refresh() : known;
    }

    /** How many shards there are, as far as is known. */
    int count() {
        return Math.max(1, workers.size());
    }

    /** Whether a shard is among those of the layout, as far as is known. */
    boolean uses(Shard shard) {
        return workers.containsKey(shard.number());
    }

    ShardWorker worker(int shard) {
        var worker = workers.get(shard);
        if (worker == null) {
            throw RedisUnavailable.refused("the number of shards has just changed");
        }
        return worker;
    }

    /** Reads the layout, makes it what the definition asks for, and brings the workers in line with it. */
    Route refresh() {
        lock.lock();
        try {
            var layout = job.store().arrange(job.definition());
            var known = route;
            if (known != null && known.layout().equals(layout)) {
                return known;
            }
            if (known != null && !known.layout().equals(layout)) {
                LOGGER.info("job {}: {} shards, formerly {}", job.name(), layout.count(), layout.former());
            }
            add(layout.active());
            job.spread(layout.active());
            var shards = IntStream.range(0, layout.active())
                    .mapToObj(number -> worker(number).shard())
                    .toList();
            var fresh = new Route(layout, new Placing(layout, shards), ShardedQueue.of(layout, shards::get));
            route = fresh;
            List.copyOf(workers.keySet()).stream()
                    .filter(number -> number >= layout.active())
                    .forEach(this::retire);
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    private void add(int active) {
        for (int number = 0; number < active && !closed; number++) {
            if (!workers.containsKey(number)) {
                var shard = job.store().shard(job.definition().id(), number, this::partOfLimits);
                var worker = new ShardWorker(job, this, shard, app, room, onReconnect);
                workers.put(number, worker);
                if (started) {
                    worker.start();
                }
            }
        }
    }

    private QueueLimits partOfLimits() {
        var known = route;
        return known == null ? job.limits() : known.layout().partOf(job.limits());
    }

    /** It holds no task any more. */
    private void retire(int number) {
        var worker = workers.remove(number);
        if (worker != null) {
            Thread.ofVirtual().name("retire-" + job.name() + "-" + number).start(worker::leave);
        }
    }

    private Duration runOnce() {
        if (!job.isStoreUsable()) {
            return Pace.jittered(job.pace().queue());
        }
        var layout = refresh().layout();
        return Pace.jittered(
                layout.former().isEmpty() && layout.span() == layout.count()
                        ? QUIET
                        : job.pace().adopt());
    }

    /** Ends the watch over the layout; what works for the shards is to be ended by itself. */
    @Override
    public void close() {
        loop.close();
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
