package dev.soloist.coordination.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Listens to everything a server carries out, in its own order, and adds what it means to a history. It sees also what was done for
 * callers that never got an answer. Ends with the server.
 */
public final class ServerMonitor implements AutoCloseable {

    private final Socket socket;
    private final Thread thread;

    /** Listens from now on; whatever is sent after the constructor has returned is seen. */
    public ServerMonitor(int port, ServerAccount account) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            var lines = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1), 1 << 16);
            String first = lines.readLine();
            if (!"+OK".equals(first)) {
                throw new IllegalStateException("MONITOR answered " + first);
            }
            thread = Thread.ofPlatform().daemon().name("monitor-" + port).start(() -> listen(lines, account));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void listen(BufferedReader lines, ServerAccount account) {
        try {
            String line = lines.readLine();
            while (line != null) {
                account.see(MonitorLine.parse(line.substring(1)));
                line = lines.readLine();
            }
        } catch (IOException e) {
            // The server is gone, or we are closed.
        } finally {
            account.flush();
        }
    }

    /** Waits until all that was carried out before the marker is in the history. */
    @Override
    public void close() {
        try {
            socket.close();
            thread.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
