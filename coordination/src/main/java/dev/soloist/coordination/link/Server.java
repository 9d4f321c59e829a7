package dev.soloist.coordination.link;

import dev.soloist.coordination.loop.Backoff;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection to one server open: a thread connects, waits until the connection is gone, and connects again.
 * Thread-safe.
 */
final class Server implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Server.class);

    private static final Duration LOOK_AFTER_EVERY = Duration.ofSeconds(10);

    /** A failover is over within seconds, so the first attempts come soon. */
    private static final Backoff SOON = new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(1));

    private static final Backoff LATER = new Backoff(Duration.ofSeconds(1), 1.5, Duration.ofSeconds(5));
    private static final int SOON_ATTEMPTS = 10;
    private static final Duration FLEETING = Duration.ofSeconds(1);

    /** Half of it is the least wait: a server that counts wrong passwords is asked once a second at most. */
    private static final Backoff NOT_WELCOME = new Backoff(Duration.ofSeconds(2), 1.5, Duration.ofSeconds(5));

    private final Dialer dialer;
    private final Aim aim;
    private final Runnable changed;
    private final RedisClock clock = new RedisClock();
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signal = lock.newCondition();
    private volatile @Nullable Courier current;
    private volatile Trouble trouble = Trouble.disconnected("not connected yet");
    private final AtomicInteger connects = new AtomicInteger();
    private volatile boolean tried;
    private boolean lookNow;
    private volatile boolean closed;
    private volatile boolean hearsBesides = true;

    /** @param changed called after each connect, loss and failed attempt; must only wake somebody */
    Server(Dialer dialer, Aim aim, Runnable changed) {
        this.dialer = dialer;
        this.aim = aim;
        this.changed = changed;
        this.thread = Thread.ofVirtual().name("redis-server").unstarted(this::run);
    }

    Server start() {
        thread.start();
        return this;
    }

    /** The open connection, or null. */
    @Nullable
    Courier courier() {
        Courier courier = current;
        return courier != null && courier.isOpen() ? courier : null;
    }

    /** Whether the connection can hear messages and do something else besides. */
    boolean hearsBesides() {
        return hearsBesides;
    }

    /** Why there is none. */
    Trouble trouble() {
        return trouble;
    }

    RedisClock clock() {
        return clock;
    }

    /** How often it was connected. */
    int connects() {
        return connects.get();
    }

    /** Whether an attempt to connect has come to its end, whatever end. */
    boolean isTried() {
        return tried;
    }

    /** Waits for the end of the present attempt, if there is no connection. */
    @Nullable
    Courier await(Duration time) {
        long left = time.toNanos();
        lock.lock();
        try {
            while (courier() == null && left > 0 && !closed) {
                left = signal.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return courier();
    }

    /** Looks now, and not only at the next turn, whether the connection leads where it should. */
    void lookNow() {
        lock.lock();
        try {
            lookNow = true;
            signal.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the connection be, for its maker to close, and makes no other. */
    void stop() {
        closed = true;
        thread.interrupt();
    }

    @Override
    public void close() {
        stop();
        Courier courier = current;
        if (courier != null) {
            var _ = courier.connection().closeAsync();
        }
    }

    private void run() {
        int failures = 0;
        while (!closed) {
            long begun = System.nanoTime();
            try {
                connect();
                stayConnected();
                // One that ends at once, again and again, is no better than a refusal; after any other the next is
                // tried at once.
                failures = System.nanoTime() - begun < FLEETING.toNanos() ? failures + 1 : 0;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                failures = Math.max(2, failures + 1);
                say(Trouble.of(e));
                tried = true;
            }
            changed.run();
            try {
                pause(failures);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void connect() {
        HostAndPort server = aim.server();
        StatefulRedisPubSubConnection<String, byte[]> connection = dialer.dial(server);
        var courier = new Courier(
                server, connection, dialer.settings().commandTimeout(), () -> drop(connection, "dropped by us"));
        connection.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                lost(connection, "the connection broke");
            }
        });
        try {
            aim.verify(courier);
            courier.time(clock);
            hearsBesides = courier.hearsBesides();
        } catch (RuntimeException unfit) {
            var _ = connection.closeAsync();
            throw unfit;
        }
        lock.lock();
        try {
            current = courier;
            connects.incrementAndGet();
            tried = true;
            lookNow = false;
            signal.signalAll();
        } finally {
            lock.unlock();
        }
        if (closed || !connection.isOpen()) {
            drop(connection, "the connection broke");
        } else {
            LOGGER.info("connected to Redis at {}", server);
            changed.run();
        }
    }

    private void stayConnected() throws InterruptedException {
        Courier courier = awaitTurn();
        while (courier != null) {
            try {
                aim.verify(courier);
                courier.time(clock);
            } catch (WrongServer wrong) {
                drop(courier.connection(), String.valueOf(wrong.getMessage()));
            } catch (RedisUnavailable | ScriptFailed unanswered) {
                // The courier drops a connection on which nothing is answered.
                LOGGER.debug("no answer to a look at the server: {}", unanswered.getMessage());
            }
            courier = awaitTurn();
        }
        if (!closed) {
            LOGGER.warn("Redis is not connected ({}); commands are refused until it is again", trouble.text());
        }
    }

    /** Waits until it is time to look after the connection, and returns it, or null as soon as it is gone. */
    private @Nullable Courier awaitTurn() throws InterruptedException {
        long left = LOOK_AFTER_EVERY.toNanos();
        lock.lockInterruptibly();
        try {
            while (current != null && left > 0 && !lookNow) {
                left = signal.awaitNanos(left);
            }
            lookNow = false;
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void drop(StatefulRedisPubSubConnection<String, byte[]> connection, String why) {
        var _ = connection.closeAsync();
        lost(connection, why);
    }

    private void lost(StatefulRedisPubSubConnection<String, byte[]> connection, String why) {
        lock.lock();
        try {
            if (current != null && connection.equals(current.connection())) {
                current = null;
                trouble = Trouble.disconnected(why);
                signal.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void pause(int failures) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = failures < 2 ? 0 : pauseAfter(failures - 1).toNanos();
            while (left > 0 && !closed) {
                left = signal.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private Duration pauseAfter(int failures) {
        if (trouble.kind() == RedisUnavailable.Kind.FORBIDDEN) {
            return NOT_WELCOME.jittered(failures);
        }
        return failures <= SOON_ATTEMPTS ? SOON.jittered(failures) : LATER.jittered(failures - SOON_ATTEMPTS);
    }

    private void say(Trouble now) {
        if (!now.equals(trouble) && !closed) {
            LOGGER.warn("cannot connect to Redis: {}; trying on", now.text());
        }
        trouble = now;
    }
}
