package dev.soloist.coordination.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy before a real server that can be broken: cut, delayed, or made to lose the answers of commands that were
 * executed. Thread-safe.
 */
public final class FaultyLink implements AutoCloseable {

    private volatile int targetPort;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger droppedReplies = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition healed = lock.newCondition();
    private volatile boolean cut;
    private volatile boolean dropReplies;
    private volatile boolean dropRequests;
    private volatile boolean hang;
    private volatile Duration delay = Duration.ZERO;
    private volatile @Nullable String cutBefore;

    /** A proxy to a port on loopback, working until told otherwise. */
    public FaultyLink(int targetPort) {
        this.targetPort = targetPort;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("faulty-link").start(this::accept);
    }

    /** The port to connect to instead of the server's. */
    public int port() {
        return server.getLocalPort();
    }

    /** {@code 127.0.0.1:port}. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Breaks all connections and refuses new ones until {@link #heal()}. */
    public void cut() {
        cut = true;
        closeAll();
    }

    /** Keeps connections open but lets nothing through in either direction, as a network that drops packets. */
    public void hang() {
        hang = true;
    }

    /** Commands still reach the server; what it answers is thrown away, and the connection breaks instead. */
    public void dropReplies() {
        dropReplies = true;
    }

    /** Breaks a connection when this text is about to pass to the server, which does not see it; once. */
    public void cutBefore(String text) {
        cutBefore = text;
    }

    /** Whether the text of {@link #cutBefore} has been met. */
    public boolean hasCut() {
        return cutBefore == null;
    }

    /** Commands are thrown away before they reach the server; a connection that lost one breaks with the next that may pass. */
    public void dropRequests() {
        dropRequests = true;
    }

    /** From now on new connections lead to another port; those that there are stay. */
    public void target(int port) {
        targetPort = port;
    }

    /** How many answers were thrown away. */
    public int droppedReplies() {
        return droppedReplies.get();
    }

    /** Holds every answer back for the given time. */
    public void delay(Duration time) {
        delay = time;
    }

    /** Ends every fault. Connections that were broken stay broken; clients make new ones. */
    public void heal() {
        cut = false;
        dropReplies = false;
        dropRequests = false;
        delay = Duration.ZERO;
        lock.lock();
        try {
            hang = false;
            healed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        cut = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        closeAll();
        heal();
        cut = true;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                if (cut) {
                    client.close();
                    continue;
                }
                Socket target;
                try {
                    target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                } catch (IOException down) {
                    // As long as the server behind is down, a client sees a connection that ends at once.
                    client.close();
                    continue;
                }
                client.setTcpNoDelay(true);
                target.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(target);
                Thread.ofVirtual().start(() -> pump(client, target, false));
                Thread.ofVirtual().start(() -> pump(target, client, true));
            } catch (IOException e) {
                // We are being closed, or the client was gone at once.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean replies) {
        byte[] buffer = new byte[64 * 1024];
        boolean holed = false;
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int read;
            while ((read = in.read(buffer)) >= 0) {
                awaitHealed();
                if (!replies && isToBeCut(buffer, read)) {
                    return;
                }
                if (replies) {
                    if (dropReplies) {
                        droppedReplies.incrementAndGet();
                        return;
                    }
                    if (!delay.isZero()) {
                        Thread.sleep(delay);
                    }
                }
                if (!replies && dropRequests) {
                    holed = true;
                    continue;
                }
                if (holed) {
                    return; // what follows a hole makes no sense to the server
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One end is gone; closing both tells the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private boolean isToBeCut(byte[] buffer, int length) {
        String text = cutBefore;
        if (text == null || !new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains(text)) {
            return false;
        }
        cutBefore = null;
        return true;
    }

    private void awaitHealed() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (hang) {
                healed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeAll() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is as closed as it can be.
            }
        }
    }
}
