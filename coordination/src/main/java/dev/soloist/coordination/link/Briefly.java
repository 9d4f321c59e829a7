package dev.soloist.coordination.link;

import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Connections for one errand, closed after it. */
final class Briefly {

    private Briefly() {}

    /**
     * Connects, does the errand, and disconnects.
     *
     * @throws RuntimeException what the errand throws, or {@link RedisUnavailable} if there is no connection
     */
    static <T> T with(
            Dialer dialer, HostAndPort server, Credentials who, Duration patience, Function<Courier, T> errand) {
        StatefulRedisPubSubConnection<String, byte[]> connection;
        try {
            connection = dialer.dial(server, who, patience);
        } catch (RuntimeException refused) {
            throw Servers.unavailable(Trouble.of(refused));
        }
        try {
            return errand.apply(new Courier(server, connection, patience, () -> {}));
        } finally {
            var _ = connection.closeAsync();
        }
    }

    /** Sends to each of the servers. */
    static void everywhere(
            Dialer dialer,
            List<HostAndPort> servers,
            Supplier<Request> request,
            Map<HostAndPort, List<Object>> replies,
            Map<HostAndPort, RuntimeException> failures) {
        RedisSettings settings = dialer.settings();
        for (HostAndPort server : servers) {
            try {
                replies.put(
                        server,
                        with(
                                dialer,
                                server,
                                settings.credentials(),
                                settings.commandTimeout(),
                                courier -> courier.send(request.get(), false)));
            } catch (RedisUnavailable | ScriptFailed failure) {
                failures.put(server, failure);
            }
        }
    }
}
