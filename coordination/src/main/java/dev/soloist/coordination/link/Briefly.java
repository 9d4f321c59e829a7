package dev.soloist.coordination.link;

import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

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

    /** Connects as the user of the settings, sends, and disconnects. */
    static List<Object> send(Dialer dialer, HostAndPort server, Request request) {
        var settings = dialer.settings();
        return with(
                dialer,
                server,
                settings.credentials(),
                settings.commandTimeout(),
                courier -> courier.send(request, false));
    }
}
