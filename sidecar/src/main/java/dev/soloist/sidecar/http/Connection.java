package dev.soloist.sidecar.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One client's connection: request after request until either side has enough. {@link #drain()} may come from any thread. */
final class Connection implements Runnable {

    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration FOR_A_REQUEST = Duration.ofSeconds(30);
    private static final int DISCARDED_FOR_KEEPING_ALIVE = 64 * 1024;
    private static final Duration LINGER = Duration.ofMillis(500);
    private static final int MOST_DISCARDED_AT_THE_END = 1024 * 1024;
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final Handler handler;
    private final Runnable onAnswered;
    private volatile boolean draining;
    private volatile boolean busy;

    /** {@code onAnswered} is called whenever it is no longer busy. */
    Connection(Socket socket, Handler handler, Runnable onAnswered) {
        this.socket = socket;
        this.handler = handler;
        this.onAnswered = onAnswered;
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            var timed = new DeadlineInput(socket, System.nanoTime());
            var in = new BufferedInputStream(timed);
            var out = socket.getOutputStream();
            boolean more = true;
            while (more && !draining) {
                timed.allow(IDLE);
                in.mark(1);
                if (in.read() < 0) {
                    return;
                }
                in.reset();
                busy = true;
                timed.allow(FOR_A_REQUEST);
                more = serve(in, out);
                busy = false;
                onAnswered.run();
            }
            linger(timed);
        } catch (IOException gone) {
            // The client went away or was too slow; there is nobody to tell.
        } finally {
            busy = false;
            onAnswered.run();
        }
    }

    /** A socket closed with unread bytes is reset, and the client may lose the answer: let it read and close first. */
    private void linger(DeadlineInput in) throws IOException {
        socket.shutdownOutput();
        in.allow(LINGER);
        var buffer = new byte[4096];
        for (int left = MOST_DISCARDED_AT_THE_END; left > 0; ) {
            int n = in.read(buffer, 0, buffer.length);
            if (n < 0) {
                return;
            }
            left -= n;
        }
    }

    private boolean serve(InputStream in, OutputStream out) throws IOException {
        try {
            var head = RequestHead.read(in);
            if (head == null) {
                return false;
            }
            var body = BodyInput.of(head, in);
            if (head.headers().getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
                out.write(CONTINUE);
            }
            var response = handler.handle(new Request(head, body));
            boolean keep = head.keepAlive() && !draining && atEnd(body);
            out.write(response.head(keep));
            if (!head.method().equals("HEAD")) {
                out.write(response.body());
            }
            out.flush();
            return keep;
        } catch (MalformedRequest malformed) {
            var response = handler.malformed(String.valueOf(malformed.getMessage()));
            out.write(response.head(false));
            out.write(response.body());
            out.flush();
            return false;
        }
    }

    private static boolean atEnd(BodyInput body) throws IOException {
        var buffer = new byte[4096];
        for (int left = DISCARDED_FOR_KEEPING_ALIVE; left > 0 && !body.ended(); ) {
            left -= Math.max(0, body.read(buffer, 0, buffer.length));
        }
        return body.ended();
    }

    boolean isBusy() {
        return busy;
    }

    /** No further request; an idle connection ends now, a busy one after its answer. */
    void drain() {
        draining = true;
        if (!busy) {
            close();
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // closed either way
        }
    }
}
