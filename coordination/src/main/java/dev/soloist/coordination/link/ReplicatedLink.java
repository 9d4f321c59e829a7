package dev.soloist.coordination.link;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts whose writes have to reach replicas: over connections of its own, for WAIT holds up everything behind it,
 * and opened when somebody first asks. An answer counts as acknowledged only if script and WAIT went over the same
 * connection; if that broke in between, the call fails and may have been done, as any other.
 *
 * <p>Source of the rules: a WAIT answers for what its own connection wrote last (Redis 7.4 and later, Valkey), so after a
 * reconnect, or after a script that wrote nothing, its answer speaks of something else. Thread-safe.
 */
public final class ReplicatedLink implements AutoCloseable {

    private static final Duration UNUSED = Duration.ofMinutes(10);

    private record LaneKey(Object server, Durability.Replicated wanted) {}

    private final Dedicated connections;
    private final CommandObserver observer;
    private final Map<LaneKey, Lane> lanes = new ConcurrentHashMap<>();
    private volatile boolean closed;

    ReplicatedLink(Dedicated connections, CommandObserver observer) {
        this.connections = connections;
        this.observer = observer;
    }

    /**
     * Runs a script, and waits for the replicas if its answer says that it wrote what has to be kept.
     *
     * @param mustBeCopied whether that answer stands for such a write; the script must then have written something, also
     *     where it only repeats an earlier answer
     * @throws RedisUnavailable if no usable answer came, of the script or of WAIT; the script may have run
     * @throws ScriptFailed if the script raised an error
     */
    public Acknowledged<@Nullable Object> eval(
            String sha,
            String text,
            Durability.Replicated wanted,
            Predicate<@Nullable Object> mustBeCopied,
            List<String> keys,
            byte[]... arguments) {
        if (closed) {
            throw new RedisUnavailable(RedisUnavailable.Kind.DISCONNECTED, "Redis is not connected: closed");
        }
        return connections.with(
                keys.getFirst(),
                server ->
                        lane(new LaneKey(server, wanted)).run(new LaneCall(sha, text, mustBeCopied, keys, arguments)));
    }

    private Lane lane(LaneKey key) {
        var present = lanes.get(key);
        if (present != null) {
            return present;
        }
        lanes.values().removeIf(other -> other.dropIfUnusedFor(UNUSED));
        return lanes.computeIfAbsent(key, fresh -> new Lane(connections, fresh.server, fresh.wanted, observer));
    }

    /** Connections that are open now, for tests and metrics; none before the first call. */
    public int connections() {
        return (int) lanes.values().stream().filter(Lane::isConnected).count();
    }

    /** Closes the connections; the next call opens another with settings asked anew. */
    void drop() {
        lanes.values().forEach(Lane::drop);
    }

    @Override
    public void close() {
        closed = true;
        drop();
        lanes.clear();
    }
}
