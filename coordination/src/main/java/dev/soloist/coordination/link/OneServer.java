package dev.soloist.coordination.link;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A primary and nobody else, wherever it is at the time. One that does not speak the third version of the protocol gets a
 * second connection for messages. Thread-safe.
 */
final class OneServer implements Servers {

    private final Dialer dialer;
    private final Aim aim;
    private final Runnable changed;
    private final Server server;
    private final AtomicReference<@Nullable Server> listener = new AtomicReference<>();

    OneServer(Dialer dialer, Aim aim, Runnable changed) {
        this.dialer = dialer;
        this.aim = aim;
        this.changed = changed;
        this.server = new Server(dialer, aim, changed).start();
    }

    @Override
    public boolean isConnected() {
        return server.courier() != null;
    }

    @Override
    public boolean isSettled() {
        return isConnected();
    }

    @Override
    public Trouble trouble() {
        return server.trouble();
    }

    @Override
    public @Nullable Courier messenger() {
        Courier commands = server.courier();
        if (commands == null || server.hearsBesides()) {
            return commands;
        }
        Server open = listener.get();
        if (open == null) {
            var fresh = new Server(dialer, aim, changed);
            if (!listener.compareAndSet(null, fresh)) {
                return null;
            }
            open = fresh.start();
        }
        return open.courier();
    }

    @Override
    public List<Object> send(Request request) {
        try {
            return courier().send(request, false);
        } catch (Redirect elsewhere) {
            throw new RedisUnavailable(
                    RedisUnavailable.Kind.REFUSED,
                    "the server is a node of a Cluster, but the topology is not said to be Cluster: "
                            + elsewhere.getMessage());
        }
    }

    @Override
    public HostAndPort serverOf(String key) {
        return courier().server();
    }

    @Override
    public StatefulRedisConnection<String, byte[]> dedicated(HostAndPort address) {
        return dialer.dedicated(address);
    }

    @Override
    public void suspect(HostAndPort address) {
        server.lookNow();
    }

    @Override
    public Instant time(@Nullable String key) {
        return courier().time(server.clock());
    }

    @Override
    public RedisClock.@Nullable Sample clock(@Nullable String key) {
        return server.clock().reading();
    }

    @Override
    public int connects() {
        return server.connects();
    }

    @Override
    public Answers everywhere(Supplier<Request> request) {
        Courier primary = courier();
        var errands = new HashMap<HostAndPort, Supplier<List<Object>>>();
        for (HostAndPort deputy : aim.deputies(primary)) {
            errands.put(deputy, () -> Briefly.send(dialer, deputy, request.get()));
        }
        errands.put(primary.server(), () -> primary.send(request.get(), false));
        Answers answers = AtOnce.ask(errands, dialer.longestErrand());
        RuntimeException failure = answers.failures().get(primary.server());
        if (failure != null) {
            throw failure;
        }
        return answers;
    }

    @Override
    public void close() {
        server.stop();
        Server open = listener.get();
        if (open != null) {
            open.stop();
        }
        dialer.close();
    }

    private Courier courier() {
        Courier courier = server.courier();
        if (courier == null) {
            throw Servers.unavailable(server.trouble());
        }
        return courier;
    }
}
