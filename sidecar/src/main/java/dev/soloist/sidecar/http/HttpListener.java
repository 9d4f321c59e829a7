package dev.soloist.sidecar.http;

import dev.soloist.coordination.loop.Signal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens and serves each connection on a virtual thread of its own, up to a limit. Thread-safe. */
public final class HttpListener implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(HttpListener.class);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(50);
    private static final int BACKLOG = 128;
    private static final int MAX_CONNECTIONS = 512;

    private final ServerSocket server = new ServerSocket();
    private final Handler handler;
    private final Signal answered = new Signal();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /** Listens from now on. */
    public HttpListener(InetSocketAddress address, Handler handler) throws IOException {
        this.handler = handler;
        server.setReuseAddress(true);
        server.bind(address, BACKLOG);
        Thread.ofVirtual().name("http-" + server.getLocalPort()).start(this::accept);
    }

    /** The port it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var socket = server.accept();
                if (connections.size() >= MAX_CONNECTIONS) {
                    socket.close();
                    continue;
                }
                var connection = new Connection(socket, handler, answered::raise);
                connections.add(connection);
                Thread.ofVirtual().name("http-connection").start(() -> {
                    try {
                        connection.run();
                    } finally {
                        connections.remove(connection);
                    }
                });
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOGGER.warn("a connection could not be accepted; others go on: {}", e.toString());
                    LockSupport.parkNanos(AFTER_FAILURE.toNanos());
                }
            }
        }
    }

    /** Takes no new connection, and lets requests that are being answered end, at most for the given time. */
    public void close(Duration drain) {
        try {
            server.close();
        } catch (IOException e) {
            LOGGER.debug("the server socket did not close cleanly", e);
        }
        connections.forEach(Connection::drain);
        long end = System.nanoTime() + drain.toNanos();
        try {
            answered.await(() -> connections.stream().noneMatch(Connection::isBusy), end);
        } catch (InterruptedException cutShort) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(Connection::close);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
