package dev.soloist.coordination.link;

import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections with the settings of a link, on its threads. Thread-safe. */
final class DedicatedConnections implements Dedicated {

    private static final String PRIMARY = "primary";

    private final Supplier<@Nullable RedisSettings> settings;
    private final ClientResources resources;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable RedisClient client;
    private volatile Duration commandTimeout = RedisSettings.DEFAULT_COMMAND_TIMEOUT;

    DedicatedConnections(Supplier<@Nullable RedisSettings> settings, ClientResources resources) {
        this.settings = settings;
        this.resources = resources;
    }

    @Override
    public Object serverOf(String key) {
        return PRIMARY;
    }

    @Override
    public StatefulRedisConnection<String, byte[]> open(Object server) {
        var wanted = settings.get();
        if (wanted == null) {
            throw new RedisUnavailable(
                    RedisUnavailable.Kind.DISCONNECTED, "Redis is not connected: its address is not known yet");
        }
        lock.lock();
        try {
            commandTimeout = wanted.commandTimeout();
            if (client == null) {
                client = RedisClient.create(resources);
            }
            // The client's timer knows one time-out for all commands, and WAIT has its own: the callers count.
            client.setOptions(Connector.options(wanted)
                    .mutate()
                    .timeoutOptions(TimeoutOptions.create())
                    .build());
            return client.connect(RedisLink.CODEC, Connector.uri(wanted));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }
}
