package dev.soloist.coordination.testkit.pika;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.testkit.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Answers as Pika does: its commands, options, replies and refusals, with a real redis-server of its own behind that
 * keeps the data. As a static {@code @RegisterExtension} it starts before the class, is emptied and healed before each
 * test and ends after the class. Thread-safe.
 */
public final class PikaStandIn implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback, AutoCloseable {

    private final RedisProcess behind;
    private final boolean ownsBehind;
    private final PikaFaults faults = new PikaFaults();
    private final Set<PikaSession> sessions = ConcurrentHashMap.newKeySet();
    private final ServerSocket server;
    private final PikaDialect dialect;
    private final PikaSnapshot snapshot;
    private volatile boolean down;

    /** A Pika 3.5.5. */
    public PikaStandIn() {
        this(PikaRelease.V3_5_5);
    }

    /** A Pika of the given release. */
    public PikaStandIn(PikaRelease release) {
        this(release, new RedisProcess(), true);
    }

    private PikaStandIn(PikaRelease release, RedisProcess behind, boolean ownsBehind) {
        this.behind = behind;
        this.ownsBehind = ownsBehind;
        this.snapshot = new PikaSnapshot(behind);
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.dialect = new PikaDialect(release, new PikaInfo(release, port(), "0123456789".repeat(4)));
    }

    /** A started Pika 3.5.5 before a server that runs and stays the caller's. */
    public static PikaStandIn before(RedisProcess running) {
        return new PikaStandIn(PikaRelease.V3_5_5, running, false).start();
    }

    /** Starts it and the server behind. */
    public PikaStandIn start() {
        if (ownsBehind) {
            behind.start();
        }
        Thread.ofVirtual().name("pika-stand-in").start(this::accept);
        return this;
    }

    /** The port it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** {@code 127.0.0.1:port}. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Settings for a link to it. */
    public RedisSettings settings() {
        return RedisSettings.of(address(), Credentials.NONE, "test");
    }

    /** As {@link RedisProcess#link()}. */
    public RedisLink link() {
        return RedisProcess.connected(RedisLink.open(settings().withCommandTimeout(Duration.ofSeconds(30))));
    }

    /** The server behind, to look at or damage the data by commands that Pika does not know. */
    public RedisProcess behind() {
        return behind;
    }

    /** Names of the commands that came since {@link #forgetCommands()}, in order, without the handshake. */
    public List<String> commands() {
        return faults.seen();
    }

    /** Counts anew. */
    public void forgetCommands() {
        faults.forget();
    }

    /** The n-th command from now, counted from 1, is not done: its connection breaks. */
    public void breakBefore(int n) {
        faults.plan(n, PikaFaults.Fate.NEVER_DONE);
    }

    /** The n-th command from now, counted from 1, is done, and its connection breaks instead of an answer. */
    public void breakAfter(int n) {
        faults.plan(n, PikaFaults.Fate.UNANSWERED);
    }

    /** Whether a break that was asked for has not come yet. */
    public boolean isBreakPending() {
        return faults.isPlanned();
    }

    /** From now on commands are done, and the connection breaks instead of an answer. */
    public void dropReplies() {
        faults.dropReplies(true);
    }

    /**
     * The server dies in the middle of the next command that makes several storage writes: RPOPLPUSH (the element is in
     * neither list), MSET, DEL of several keys, EXEC. All clients are cut; it is up again at once.
     */
    public void crashInTheMiddleOfTheNextMultiKeyWrite() {
        faults.halveNext(true);
    }

    /** Whether MULTI, EXEC and WATCH are known, as from 3.5.2 on; the default. */
    public void offerTransactions(boolean offered) {
        faults.transactions(offered);
    }

    /** Cuts all clients; they may come back at once. */
    public void cutAllClients() {
        sessions.forEach(PikaSession::close);
        sessions.clear();
    }

    /** Cuts all clients and refuses new ones until {@link #heal()}. */
    public void goDown() {
        down = true;
        cutAllClients();
    }

    /** Remembers the data as what a replica has. */
    public void replicate() {
        snapshot.take();
    }

    /** The replica takes over: everything written since {@link #replicate()} is lost, all clients are cut. */
    public void failOver() {
        cutAllClients();
        snapshot.restore();
    }

    /** Ends every fault. */
    public void heal() {
        faults.heal();
        down = false;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        heal();
        offerTransactions(true);
        try (RedisLink link = behind.link()) {
            link.call("FLUSHALL");
        }
        forgetCommands();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        down = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cutAllClients();
        if (ownsBehind) {
            behind.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (down) {
                    client.close();
                    continue;
                }
                var session = new PikaSession(client, behind.port(), dialect, faults, this::cutAllClients);
                sessions.add(session);
                Thread.ofVirtual().start(() -> {
                    session.run();
                    sessions.remove(session);
                });
            } catch (IOException e) {
                // We are being closed, or the server behind is down: the client sees a connection that ends at once.
            }
        }
    }
}
