package dev.soloist.coordination.link;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.function.Function;

/** Connections to the servers of a link, with its settings and on its threads. Thread-safe. */
final class DedicatedConnections implements Dedicated {

    private final Follower follower;

    /** A server as one set of settings leads to it. */
    private record Place(Servers servers, HostAndPort server) {}

    DedicatedConnections(Follower follower) {
        this.follower = follower;
    }

    @Override
    public <T> T with(String key, Function<Object, T> call) {
        return follower.call(servers -> call.apply(new Place(servers, servers.serverOf(key))));
    }

    @Override
    public StatefulRedisConnection<String, byte[]> open(Object server) {
        var place = (Place) server;
        return place.servers.dedicated(place.server);
    }

    @Override
    public void suspect(Object server) {
        var place = (Place) server;
        place.servers.suspect(place.server);
    }

    @Override
    public Duration commandTimeout() {
        RedisSettings settings = follower.settings();
        return settings == null ? RedisSettings.DEFAULT_COMMAND_TIMEOUT : settings.commandTimeout();
    }
}
