package dev.soloist.coordination.link;

import dev.soloist.coordination.loop.Backoff;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a Redis Cluster: one connection to each primary, and a thread that keeps up with who serves what. A node
 * that is gone stops nothing but its own slots. Thread-safe.
 *
 * <p>Why not Lettuce's own cluster client: it keeps the connection of each node for good, and so needs Lettuce's own
 * reconnect, which this package keeps off.
 */
final class ClusterServers implements Servers {

    private static final Logger LOGGER = LoggerFactory.getLogger(ClusterServers.class);

    private static final Duration REFRESH_EVERY = Duration.ofSeconds(30);

    /** While something is not as it was said to be. */
    private static final Backoff AGAIN = new Backoff(Duration.ofMillis(300), 1.5, Duration.ofSeconds(5));

    /** Half of it is the least wait, as for a single server. */
    private static final Backoff NOT_WELCOME = new Backoff(Duration.ofSeconds(2), 1.5, Duration.ofSeconds(5));

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int MOST_REDIRECTS = 5;

    private final Dialer dialer;
    private final Topology.Cluster topology;
    private final Runnable changed;
    private final Map<HostAndPort, Server> nodes = new ConcurrentHashMap<>();
    /** Those that refused a command since they were last asked who serves what. */
    private final Set<HostAndPort> refusing = ConcurrentHashMap.newKeySet();

    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signal = lock.newCondition();
    private boolean refreshSoon;
    private int failures;
    private volatile Slots slots = Slots.NONE;
    private volatile Trouble trouble = Trouble.disconnected("not connected yet");
    private volatile @Nullable Courier messenger;
    private volatile boolean closed;

    ClusterServers(Dialer dialer, Topology.Cluster topology, Runnable changed) {
        this.dialer = dialer;
        this.topology = topology;
        this.changed = changed;
        this.thread = Thread.ofVirtual().name("redis-cluster").start(this::run);
    }

    @Override
    public boolean isConnected() {
        return messenger() != null;
    }

    @Override
    public boolean isSettled() {
        return isConnected() && nodes.values().stream().allMatch(Server::isTried);
    }

    @Override
    public Trouble trouble() {
        return nodes.values().stream().map(Server::trouble).findFirst().orElse(trouble);
    }

    /** Every message reaches every node, so one of them is enough; the same as long as it is there. */
    @Override
    public @Nullable Courier messenger() {
        Courier last = messenger;
        if (last != null && last.isOpen()) {
            return last;
        }
        for (HostAndPort primary : slots.primaries()) {
            Server node = nodes.get(primary);
            Courier courier = node == null ? null : node.courier();
            if (courier != null) {
                messenger = courier;
                return courier;
            }
        }
        return null;
    }

    @Override
    public int connects() {
        return nodes.values().stream().mapToInt(Server::connects).sum();
    }

    @Override
    public List<Object> send(Request request) {
        Courier courier = courier(request.key());
        boolean asking = false;
        String last = "";
        for (int i = 0; i <= MOST_REDIRECTS; i++) {
            try {
                return courier.send(request, asking);
            } catch (Redirect elsewhere) {
                last = String.valueOf(elsewhere.getMessage());
                asking = elsewhere.ask();
                if (!asking) {
                    refresh();
                }
                courier = connected(elsewhere.target(courier.server()));
            } catch (RedisUnavailable unavailable) {
                if (unavailable.kind() == RedisUnavailable.Kind.REFUSED) {
                    refusing.add(courier.server());
                }
                refresh();
                throw unavailable;
            }
        }
        throw new RedisUnavailable(
                RedisUnavailable.Kind.REFUSED, "the nodes of the Cluster send us round in circles: " + last);
    }

    @Override
    public HostAndPort serverOf(String key) {
        return courier(key).server();
    }

    @Override
    public StatefulRedisConnection<String, byte[]> dedicated(HostAndPort server) {
        return dialer.dedicated(server);
    }

    @Override
    public void suspect(HostAndPort server) {
        refresh();
    }

    @Override
    public Instant time(@Nullable String key) {
        Courier courier = courier(key);
        return courier.time(server(courier.server()).clock());
    }

    @Override
    public RedisClock.@Nullable Sample clock(@Nullable String key) {
        HostAndPort owner = key == null ? null : slots.owner(Slots.slot(key));
        Server node = owner == null ? null : nodes.get(owner);
        RedisClock.Sample reading = node == null ? null : node.clock().reading();
        if (reading != null) {
            return reading;
        }
        return nodes.values().stream()
                .map(other -> other.clock().reading())
                .filter(sample -> sample != null)
                .findFirst()
                .orElse(null);
    }

    @Override
    public Answers everywhere(Supplier<Request> request) {
        Slots known = slots;
        if (known.primaries().isEmpty()) {
            throw Servers.unavailable(trouble);
        }
        var errands = new HashMap<HostAndPort, Supplier<List<Object>>>();
        for (HostAndPort replica : known.replicas()) {
            errands.put(replica, () -> Briefly.send(dialer, replica, request.get()));
        }
        for (HostAndPort primary : known.primaries()) {
            errands.put(primary, () -> connected(primary).send(request.get(), false));
        }
        return AtOnce.ask(errands, dialer.longestErrand());
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        nodes.values().forEach(Server::stop);
        dialer.close();
    }

    private Courier courier(@Nullable String key) {
        if (key == null) {
            Courier any = messenger();
            if (any == null) {
                throw Servers.unavailable(trouble());
            }
            return any;
        }
        HostAndPort owner = slots.owner(Slots.slot(key));
        if (owner == null) {
            refresh();
            throw slots.primaries().isEmpty()
                    ? Servers.unavailable(trouble())
                    : new RedisUnavailable(
                            RedisUnavailable.Kind.REFUSED, "no node of the Cluster serves the slot of " + key);
        }
        return connected(owner);
    }

    /** A connection to the node; one that is being made for the first time is waited for. */
    private Courier connected(HostAndPort address) {
        Server node = server(address);
        Courier courier = node.courier();
        if (courier == null && !node.isTried()) {
            courier = node.await(PATIENCE);
        }
        if (courier == null) {
            refresh();
            throw Servers.unavailable(node.trouble());
        }
        return courier;
    }

    private Server server(HostAndPort address) {
        if (closed) {
            throw Servers.unavailable(Trouble.disconnected("the link is closed"));
        }
        return nodes.computeIfAbsent(
                address, server -> new Server(dialer, new Aim.Fixed(server), this::nodeChanged).start());
    }

    private void nodeChanged() {
        if (nodes.values().stream().anyMatch(node -> node.courier() == null)) {
            refresh();
        }
        changed.run();
    }

    private void refresh() {
        lock.lock();
        try {
            refreshSoon = true;
            signal.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (!closed) {
            try {
                failures = learn() ? 0 : failures + 1;
            } catch (RuntimeException e) {
                failures++;
                say(Trouble.of(e));
            }
            try {
                pause();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /**
     * Asks the connected nodes until most of them agree on who serves what; if none of them tells, all others until one
     * does.
     */
    private boolean learn() {
        List<Courier> connected = nodes.values().stream()
                .map(Server::courier)
                .filter(courier -> courier != null && !courier.isSilent())
                // Of two that disagree the one that refused a command knows less.
                .sorted(Comparator.comparing(courier -> refusing.contains(courier.server())))
                .toList();
        refusing.clear();
        var votes = new Votes(connected.size());
        for (Courier courier : connected) {
            votes.add(courier.server(), told(courier));
            if (votes.isDecided()) {
                break;
            }
        }
        Slots agreed = votes.winner();
        if (agreed != null) {
            take(agreed);
            return true;
        }
        Set<HostAndPort> all = new LinkedHashSet<>(topology.servers());
        all.addAll(slots.primaries());
        all.addAll(slots.replicas());
        var others = new ArrayList<>(all);
        // Not always the same one first: the first may be the one that does not answer.
        Collections.rotate(others, -failures);
        for (HostAndPort other : others) {
            try {
                boolean learned =
                        Briefly.with(dialer, other, dialer.settings().credentials(), PATIENCE, this::learnFrom);
                if (learned) {
                    return true;
                }
            } catch (RedisUnavailable unreachable) {
                say(new Trouble(unreachable.kind(), "node " + other + ": " + unreachable.getMessage()));
                if (unreachable.kind() == RedisUnavailable.Kind.FORBIDDEN) {
                    // The same password is no better elsewhere.
                    break;
                }
            }
        }
        changed.run();
        return false;
    }

    private boolean learnFrom(Courier courier) {
        Slots told = told(courier);
        if (told.primaries().isEmpty()) {
            return false;
        }
        take(told);
        return true;
    }

    /** What the node says of who serves what; that nobody does, if it does not say. */
    private Slots told(Courier courier) {
        try {
            Slots told = Slots.read(courier.send(Request.of("CLUSTER", "SLOTS"), false), courier.server());
            if (told.primaries().isEmpty()) {
                say(Trouble.disconnected("node " + courier.server() + " knows of no slots"));
            }
            return told;
        } catch (RedisUnavailable | ScriptFailed refused) {
            say(Trouble.disconnected("node " + courier.server() + ": " + refused.getMessage()));
            return Slots.NONE;
        }
    }

    private void take(Slots told) {
        slots = told;
        told.primaries().forEach(this::server);
        Collection<HostAndPort> gone = new ArrayList<>(new HashSet<>(nodes.keySet()));
        gone.removeAll(told.primaries());
        for (HostAndPort former : gone) {
            Server node = nodes.get(former);
            // One that is there and no replica may be about to get slots: others have sent us to it.
            if (node == null) {
                continue;
            }
            boolean useless = told.replicas().contains(former) || (node.courier() == null && node.isTried());
            if (useless && nodes.remove(former, node)) {
                LOGGER.info("node {} of the Cluster serves no slots any more", former);
                node.close();
            }
        }
        changed.run();
    }

    private void say(Trouble now) {
        if (!now.equals(trouble)) {
            LOGGER.warn("{}", now.text());
        }
        trouble = now;
    }

    private void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // However often it is asked for: not without a pause.
            long least = (failures > 0 && trouble.kind() == RedisUnavailable.Kind.FORBIDDEN ? NOT_WELCOME : AGAIN)
                    .jittered(failures)
                    .toNanos();
            while (least > 0 && !closed) {
                least = signal.awaitNanos(least);
            }
            long left = failures == 0 ? REFRESH_EVERY.toNanos() : 0;
            while (left > 0 && !refreshSoon && !closed) {
                left = signal.awaitNanos(left);
            }
            refreshSoon = false;
        } finally {
            lock.unlock();
        }
    }
}
