package dev.soloist.coordination.link;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections with one set of settings. Lettuce's own reconnect is off, so that no command is ever sent a second
 * time behind the caller's back. Thread-safe.
 */
final class Dialer implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private final RedisSettings settings;
    private final RedisClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable RedisClient unlimited;

    Dialer(RedisSettings settings, ClientResources resources) {
        this.settings = settings;
        this.client = RedisClient.create(resources);
        client.setOptions(options(settings));
    }

    RedisSettings settings() {
        return settings;
    }

    /** The most that a server is waited for which is dialled first and asked then. */
    Duration longestErrand() {
        return settings.commandTimeout().multipliedBy(2);
    }

    /** Connects as the user of the settings; blocks until the server has let us in. */
    StatefulRedisPubSubConnection<String, byte[]> dial(HostAndPort server) {
        return dial(server, settings.credentials(), settings.commandTimeout());
    }

    /**
     * Connects.
     *
     * @param patience with each command
     * @throws io.lettuce.core.RedisException if there is no server or it does not let us in
     */
    StatefulRedisPubSubConnection<String, byte[]> dial(HostAndPort server, Credentials who, Duration patience) {
        return client.connectPubSub(RedisLink.CODEC, uri(server, who, patience));
    }

    /** Connects without a limit of time for commands: for WAIT, which has its own. */
    StatefulRedisConnection<String, byte[]> dedicated(HostAndPort server) {
        return unlimited().connect(RedisLink.CODEC, uri(server, settings.credentials(), settings.commandTimeout()));
    }

    private RedisClient unlimited() {
        lock.lock();
        try {
            RedisClient present = unlimited;
            if (present == null) {
                present = RedisClient.create(client.getResources());
                present.setOptions(options(settings)
                        .mutate()
                        .timeoutOptions(TimeoutOptions.create())
                        .build());
                unlimited = present;
            }
            return present;
        } finally {
            lock.unlock();
        }
    }

    private RedisURI uri(HostAndPort server, Credentials who, Duration patience) {
        var builder = RedisURI.Builder.redis(server.host(), server.port())
                .withTimeout(patience)
                .withClientName(settings.clientName())
                // No CLIENT SETINFO: servers before 7.2 refuse it, and 6.2 logs each refusal as a breach of ACL rules.
                .withLibraryName("")
                .withLibraryVersion("");
        Tls tls = settings.tls();
        if (tls != null) {
            builder.withSsl(true).withVerifyPeer(mode(tls.verification()));
        }
        RedisURI uri = builder.build();
        if (who.password() != null) {
            uri.setCredentialsProvider(
                    new StaticCredentialsProvider(who.username(), who.password().toCharArray()));
        }
        return uri;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        lock.lock();
        try {
            if (unlimited != null) {
                unlimited.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        } finally {
            lock.unlock();
        }
    }

    private static SslVerifyMode mode(Tls.Verification verification) {
        return switch (verification) {
            case FULL -> SslVerifyMode.FULL;
            case CA -> SslVerifyMode.CA;
            case NONE -> SslVerifyMode.NONE;
        };
    }

    private static ClientOptions options(RedisSettings settings) {
        var options = ClientOptions.builder()
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
                .maintNotificationsConfig(MaintNotificationsConfig.disabled());
        Tls tls = settings.tls();
        if (tls != null) {
            options.sslOptions(TlsOptions.of(tls));
        }
        return options.build();
    }
}
