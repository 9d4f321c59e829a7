package dev.soloist.coordination.link;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All servers behind one set of settings. Thread-safe; closed for good when the settings change. */
interface Servers extends AutoCloseable {

    /** Whether commands can be sent now, to some of the servers at least. */
    boolean isConnected();

    /** Whether it is clear who can be reached and who cannot. */
    boolean isSettled();

    /** Why there is no connection. */
    Trouble trouble();

    /** An open connection that hears the messages of all servers, or null. */
    @Nullable
    Courier messenger();

    /** Changes whenever something was connected; who keeps watch over data has to look again then. */
    int connects();

    /**
     * Which server is in charge of the key.
     *
     * @throws RedisUnavailable if that is not known now
     */
    HostAndPort serverOf(String key);

    /** A connection to the server that nobody shares, without a limit of time for its commands. */
    StatefulRedisConnection<String, byte[]> dedicated(HostAndPort server);

    /** Looks at once whether the server is still what it was. */
    void suspect(HostAndPort server);

    /** Does something on the server that is in charge of the key, or on any if there is none. Follows redirects. */
    List<Object> send(Request request);

    /** Asks the server in charge of the key for its time. */
    Instant time(@Nullable String key);

    /** The newest reading of the clock of the server in charge of the key. */
    RedisClock.@Nullable Sample clock(@Nullable String key);

    /** Sends to every server at the same time. */
    Answers everywhere(Supplier<Request> request);

    @Override
    void close();

    /** Of a command that waits for its turn to be sent. */
    static RedisUnavailable unavailable(Trouble trouble) {
        return new RedisUnavailable(trouble.kind(), "Redis is not connected: " + trouble.text());
    }

    /** Patience with a connection that is being made right now. */
    Duration MOMENT = Duration.ofSeconds(1);
}
