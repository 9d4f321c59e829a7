package dev.soloist.coordination.link;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the settings: its thread makes new connections when they change, passes over to them once they are there, and
 * tells subscribers of each connect. Thread-safe.
 */
final class Follower implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Follower.class);

    private static final Duration ASK_EVERY = Duration.ofSeconds(2);

    /** Who read the old connection a moment before it was retired has begun to use it after this time. */
    private static final Duration LAST_CALLS = Duration.ofMillis(500);

    private final Supplier<? extends StoreSettings> source;
    private final Subscriptions subscriptions = new Subscriptions();
    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .build();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("redis-link").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signal = lock.newCondition();
    private boolean woken;

    private volatile @Nullable Generation current;
    private volatile @Nullable Courier attached;
    private volatile String complaint = "";
    private volatile boolean closed;

    // Of the thread only.
    private @Nullable Generation next;
    private final List<Retired> retired = new ArrayList<>();
    private int connectsSeen;

    /** What was opened with one set of settings. */
    private record Generation(RedisSettings settings, Servers servers, AtomicInteger calls) {
        Generation(RedisSettings settings, Servers servers) {
            this(settings, servers, new AtomicInteger());
        }
    }

    private record Retired(Generation generation, long since) {}

    Follower(Supplier<? extends StoreSettings> source) {
        this.source = source;
    }

    void start() {
        thread.start();
    }

    /**
     * Does something with the servers that are in use now; they are not closed before it is done.
     *
     * @throws RedisUnavailable if there are none yet, or as the call throws
     */
    <T> T call(Function<Servers, T> call) {
        Generation now = current;
        if (now == null || closed) {
            throw Servers.unavailable(Trouble.disconnected(closed ? "the link is closed" : trouble()));
        }
        now.calls.incrementAndGet();
        try {
            return call.apply(now.servers);
        } finally {
            now.calls.decrementAndGet();
        }
    }

    boolean isConnected() {
        Generation now = current;
        return now != null && now.servers.isConnected();
    }

    @Nullable
    RedisSettings settings() {
        Generation now = current;
        return now == null ? null : now.settings;
    }

    RedisClock.@Nullable Sample clock(@Nullable String key) {
        Generation now = current;
        return now == null ? null : now.servers.clock(key);
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    String complaint() {
        return complaint;
    }

    String trouble() {
        Generation now = current;
        if (now == null) {
            return complaint.isEmpty() ? "not connected yet" : complaint;
        }
        if (now.servers.isConnected()) {
            return "";
        }
        return complaint.isEmpty()
                ? now.servers.trouble().text()
                : now.servers.trouble().text() + "; " + complaint;
    }

    boolean await(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isSettled() && left > 0 && !closed) {
                left = signal.awaitNanos(left);
            }
            return isSettled();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Generation now = current;
        if (now != null) {
            now.servers.close();
        }
        if (next != null) {
            next.servers.close();
        }
        retired.forEach(old -> old.generation.servers.close());
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** Connected, the clock read and the channels subscribed: who waited for the connection may rely on both. */
    private boolean isSettled() {
        Generation now = current;
        Courier messenger = attached;
        return now != null && now.servers.isSettled() && messenger != null && messenger.equals(now.servers.messenger());
    }

    private void run() {
        while (!closed) {
            try {
                step();
            } catch (RuntimeException e) {
                LOGGER.error("the link to Redis goes on after an unexpected error", e);
            }
            try {
                pause();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void step() {
        readSettings();
        passOver();
        attach();
        retired.removeIf(Follower::closeIfOver);
        lock.lock();
        try {
            signal.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void readSettings() {
        switch (read()) {
            case NoSettings(var why) -> {
                if (!why.equals(complaint)) {
                    LOGGER.warn(
                            current == null
                                    ? "{}; there is no connection to Redis until that is mended"
                                    : "{}; the link to Redis goes on with what was said before",
                            why);
                }
                complaint = why;
            }
            case RedisSettings wanted -> {
                complaint = "";
                take(wanted);
            }
        }
    }

    private StoreSettings read() {
        try {
            return source.get();
        } catch (RuntimeException e) {
            return new NoSettings("the settings of the store cannot be read: " + e.getMessage());
        }
    }

    private void take(RedisSettings wanted) {
        Generation now = current;
        Generation newest = next == null ? now : next;
        if (newest != null && newest.settings.equals(wanted)) {
            return;
        }
        if (next != null) {
            next.servers.close();
            next = null;
        }
        if (now == null || !now.settings.equals(wanted)) {
            next = new Generation(wanted, open(wanted));
        }
    }

    private Servers open(RedisSettings settings) {
        var dialer = new Dialer(settings, resources);
        return switch (settings.topology()) {
            case Topology.Standalone(var server) -> new OneServer(dialer, new Aim.Fixed(server), this::wake);
            case Topology.Sentinel sentinels -> new OneServer(dialer, new SentinelAim(sentinels, dialer), this::wake);
            case Topology.Cluster nodes -> new ClusterServers(dialer, nodes, this::wake);
        };
    }

    /** New settings take over as soon as they lead to a connection, or at once if the old ones do not. */
    private void passOver() {
        Generation coming = next;
        Generation going = current;
        if (coming == null || (going != null && going.servers.isConnected() && !coming.servers.isSettled())) {
            return;
        }
        current = coming;
        next = null;
        if (going != null) {
            LOGGER.info("the settings of Redis changed; the link passed over to a new connection");
            retired.add(new Retired(going, System.nanoTime()));
        }
    }

    private void attach() {
        Generation now = current;
        Courier messenger = now == null ? null : now.servers.messenger();
        if (now == null || messenger == null) {
            return;
        }
        int connects = now.servers.connects();
        if (!messenger.equals(attached)) {
            subscriptions.attach(messenger.connection());
            attached = messenger;
        } else if (connects != connectsSeen) {
            subscriptions.lookAgain();
        }
        connectsSeen = connects;
    }

    private static boolean closeIfOver(Retired old) {
        Duration age = Duration.ofNanos(System.nanoTime() - old.since);
        boolean idle = old.generation.calls.get() == 0 && age.compareTo(LAST_CALLS) > 0;
        boolean over = age.compareTo(old.generation.settings.commandTimeout().multipliedBy(2)) > 0;
        if (idle || over) {
            old.generation.servers.close();
        }
        return idle || over;
    }

    private void wake() {
        lock.lock();
        try {
            woken = true;
            signal.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = (retired.isEmpty() ? ASK_EVERY : LAST_CALLS).toNanos();
            while (!woken && left > 0 && !closed) {
                left = signal.awaitNanos(left);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }
}
