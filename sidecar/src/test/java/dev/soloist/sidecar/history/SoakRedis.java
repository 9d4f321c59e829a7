package dev.soloist.sidecar.history;

import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.ScriptNames;
import dev.soloist.coordination.history.ServerAccount;
import dev.soloist.coordination.history.ServerMonitor;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A primary that keeps an append-only file, and a replica. All that the primary of the day carries out is in the history: while it
 * comes back, or another takes its place, nobody reaches it before the monitor does.
 */
final class SoakRedis implements AutoCloseable {

    /**
     * The operating system has every write before it is answered, and survives here. With {@code everysec} a write waits for a sync that
     * is slow, for up to two seconds: then a killed server has lost what it had answered.
     */
    private static final String[] KEEPS = {"--appendonly", "yes", "--appendfsync", "no"};

    private static final Duration LOST = Duration.ofMillis(200);

    private final History history;
    private final List<FaultyLink> clients = new ArrayList<>();
    private final BlockingQueue<String> markers = new LinkedBlockingQueue<>();
    private RedisProcess primary = new RedisProcess(KEEPS).start();
    private RedisProcess replica = new RedisProcess(KEEPS).start();
    private RedisLink link;
    private ServerMonitor monitor;

    SoakRedis(History history) {
        this.history = history;
        this.link = primary.link();
        this.monitor = monitor();
        send(replica.port(), "REPLICAOF", "127.0.0.1", String.valueOf(primary.port()));
    }

    private ServerMonitor monitor() {
        return new ServerMonitor(primary.port(), new ServerAccount(new ScriptNames(), history, markers::add));
    }

    int port() {
        return primary.port();
    }

    /** A link that no fault touches. */
    synchronized RedisLink link() {
        return link;
    }

    /** A client whose way is closed while the primary is away. */
    void serves(FaultyLink client) {
        clients.add(client);
    }

    /** The primary ends as in a crash, and comes back with what it had written. */
    synchronized void restart(Duration away) throws InterruptedException {
        clients.forEach(FaultyLink::cut);
        primary.kill();
        TimeUnit.MILLISECONDS.sleep(away.toMillis());
        primary.start();
        reopen(() -> {});
    }

    /** The replica is promoted a moment before the primary ends: what was written in between is lost, which is told before anybody is served. */
    synchronized void failOver(Runnable lost) throws InterruptedException {
        send(replica.port(), "REPLICAOF", "NO", "ONE");
        TimeUnit.MILLISECONDS.sleep(LOST.toMillis());
        clients.forEach(FaultyLink::cut);
        primary.kill();
        RedisProcess old = primary;
        primary = replica;
        replica = old;
        clients.forEach(client -> client.target(primary.port()));
        reopen(lost);
        replica.start();
        send(replica.port(), "REPLICAOF", "127.0.0.1", String.valueOf(primary.port()));
    }

    private void reopen(Runnable before) {
        monitor.close();
        monitor = monitor();
        link.close();
        link = primary.link();
        before.run();
        clients.forEach(FaultyLink::heal);
    }

    /** Waits until everything that was carried out so far is in the history. */
    void sync() throws InterruptedException {
        markers.clear();
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> !link().call("ECHO", "now").isEmpty());
        if (markers.poll(60, TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("the server's monitor is silent");
        }
    }

    /** Sends a command until the server, which may still read its file, does it. */
    private static void send(int port, String... words) {
        byte[] line = (String.join(" ", words) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(line);
                return socket.getInputStream().read() == '+';
            }
        });
    }

    @Override
    public synchronized void close() {
        monitor.close();
        link.close();
        primary.close();
        replica.close();
    }
}
