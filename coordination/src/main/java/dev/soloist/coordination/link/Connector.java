package dev.soloist.coordination.link;

import dev.soloist.coordination.loop.Backoff;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one connection open: its own thread connects, waits until the connection is gone, and connects again. Lettuce's
 * own reconnect is off, so that no command is ever sent a second time behind the caller's back.
 */
final class Connector implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(Connector.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private final Supplier<@Nullable RedisSettings> settings;
    private final Consumer<StatefulRedisPubSubConnection<String, byte[]>> onConnected;
    private final Subscriptions subscriptions;
    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .build();
    private final RedisClient client = RedisClient.create(resources);
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(5));
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable StatefulRedisPubSubConnection<String, byte[]> current;
    private volatile @Nullable StatefulRedisPubSubConnection<String, byte[]> settled;
    private volatile String trouble = "not connected yet";
    private volatile Duration commandTimeout = RedisSettings.DEFAULT_COMMAND_TIMEOUT;
    private volatile boolean closed;

    Connector(
            Supplier<@Nullable RedisSettings> settings,
            Consumer<StatefulRedisPubSubConnection<String, byte[]>> onConnected,
            Subscriptions subscriptions) {
        this.settings = settings;
        this.onConnected = onConnected;
        this.subscriptions = subscriptions;
        this.thread = Thread.ofPlatform().daemon().name("redis-link").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Connections beside the one that is kept here, to the same server. */
    Dedicated dedicated() {
        return new DedicatedConnections(settings, resources);
    }

    @Nullable
    StatefulRedisPubSubConnection<String, byte[]> current() {
        StatefulRedisPubSubConnection<String, byte[]> connection = current;
        return connection != null && connection.isOpen() ? connection : null;
    }

    String trouble() {
        return current() == null ? trouble : "";
    }

    Duration commandTimeout() {
        return commandTimeout;
    }

    boolean await(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lockInterruptibly();
        try {
            while (!isSettled() && left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            return isSettled();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the present connection; the thread makes another. */
    void drop() {
        StatefulRedisPubSubConnection<String, byte[]> connection = current;
        if (connection != null) {
            var _ = connection.closeAsync();
            lost(connection, "dropped by us");
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        StatefulRedisPubSubConnection<String, byte[]> connection = current;
        if (connection != null) {
            connection.close();
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    private void run() {
        int failures = 0;
        while (!closed) {
            try {
                if (connect()) {
                    failures = 0;
                    awaitLoss();
                } else {
                    failures++;
                    pause(failures);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                failures++;
                say(e);
                try {
                    pause(failures);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private boolean connect() {
        RedisSettings wanted = settings.get();
        if (wanted == null) {
            trouble = "the address of Redis is not known yet";
            return false;
        }
        commandTimeout = wanted.commandTimeout();
        client.setOptions(options(wanted));
        StatefulRedisPubSubConnection<String, byte[]> connection = client.connectPubSub(RedisLink.CODEC, uri(wanted));
        connection.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                lost(connection, "the connection broke");
            }
        });
        lock.lock();
        try {
            current = connection;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (closed || !connection.isOpen()) {
            connection.close();
            lost(connection, "the connection broke");
            return false;
        }
        LOGGER.info("connected to Redis at {}:{}", wanted.host(), wanted.port());
        onConnected.accept(connection);
        subscriptions.attach(connection);
        lock.lock();
        try {
            settled = connection;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** Connected, the clock read and the channels subscribed: who waited for the connection may rely on both. */
    private boolean isSettled() {
        StatefulRedisPubSubConnection<String, byte[]> connection = current();
        return connection != null && connection.equals(settled);
    }

    private void lost(StatefulRedisPubSubConnection<String, byte[]> connection, String why) {
        lock.lock();
        try {
            if (connection.equals(current)) {
                current = null;
                trouble = why;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitLoss() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (current != null) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        if (!closed) {
            LOGGER.warn("Redis is not connected ({}); commands are refused until it is again", trouble);
        }
    }

    private void pause(int failures) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = backoff.jittered(failures).toNanos();
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void say(RuntimeException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = String.valueOf(cause.getMessage());
        if (!message.equals(trouble)) {
            LOGGER.warn("cannot connect to Redis: {}; trying on", message);
        }
        trouble = message;
    }

    static RedisURI uri(RedisSettings settings) {
        Credentials who = settings.credentials();
        RedisURI uri = RedisURI.Builder.redis(settings.host(), settings.port())
                .withTimeout(settings.commandTimeout())
                .withClientName(settings.clientName())
                // No CLIENT SETINFO: servers before 7.2 refuse it, and 6.2 logs each refusal as a breach of ACL rules.
                .withLibraryName("")
                .withLibraryVersion("")
                .build();
        if (who.password() != null) {
            uri.setCredentialsProvider(
                    new StaticCredentialsProvider(who.username(), who.password().toCharArray()));
        }
        return uri;
    }

    static ClientOptions options(RedisSettings settings) {
        return ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(10_000)
                .protocolVersion(ProtocolVersion.RESP3)
                .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .keepAlive(SocketOptions.KeepAliveOptions.builder()
                                .enable()
                                .idle(Duration.ofSeconds(15))
                                .interval(Duration.ofSeconds(5))
                                .count(3)
                                .build())
                        .build())
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .build();
    }
}
