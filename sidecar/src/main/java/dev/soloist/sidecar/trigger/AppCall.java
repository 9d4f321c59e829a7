package dev.soloist.sidecar.trigger;

import dev.soloist.sidecar.http.DeadlineInput;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One HTTP/1.1 exchange with the app over a connection of its own. Written by hand because three outcomes must be told apart for
 * certain: nobody listened, the connection broke after sending, we cut it off; and because a POST must never be sent twice, which
 * the JDK's clients may do. Used once; {@link #abort()} may come from any thread.
 */
public final class AppCall {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final AppRequest request;
    private final Socket socket = new Socket();
    private volatile boolean aborted;

    /** A call that is not sent yet. */
    public AppCall(AppRequest request) {
        this.request = request;
    }

    /** Sends the request and waits for the end of the response, at most for the request's timeout. */
    public AppResponse execute() {
        return execute(() -> true);
    }

    /**
     * As {@link #execute()}, but sends nothing if it may not.
     *
     * @param mayBegin asked once, when somebody listens and nothing was sent yet; its time counts, and without it the answer is
     *     {@link AppResponse.Aborted}
     */
    public AppResponse execute(BooleanSupplier mayBegin) {
        long deadline = System.nanoTime() + request.timeout().toNanos();
        try (socket) {
            try {
                connect(deadline);
            } catch (ConnectException nobodyListens) {
                return aborted ? new AppResponse.Aborted() : new AppResponse.Refused();
            }
            if (!mayBegin.getAsBoolean()) {
                return new AppResponse.Aborted();
            }
            var out = socket.getOutputStream();
            out.write(head());
            out.write(request.body().bytes());
            out.flush();
            var in = new BufferedInputStream(new DeadlineInput(socket, deadline));
            return ResponseReader.read(in);
        } catch (SocketTimeoutException late) {
            return aborted ? new AppResponse.Aborted() : new AppResponse.TimedOut();
        } catch (IOException broken) {
            return aborted ? new AppResponse.Aborted() : new AppResponse.Broken(String.valueOf(broken.getMessage()));
        }
    }

    /** Cuts the call off; {@link #execute()} returns at once. */
    public void abort() {
        aborted = true;
        try {
            socket.close();
        } catch (IOException alreadyAsClosedAsItGets) {
            // the reader sees the end either way
        }
    }

    private void connect(long deadline) throws IOException {
        long left = Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis());
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), request.port()), (int)
                Math.min(left, CONNECT_TIMEOUT.toMillis()));
    }

    private byte[] head() throws IOException {
        var head = new ByteArrayOutputStream(512);
        line(head, request.method() + " " + request.target() + " HTTP/1.1");
        line(head, "Host: 127.0.0.1:" + request.port());
        line(head, "Connection: close");
        line(head, "Content-Length: " + request.body().bytes().length);
        if (request.body().bytes().length > 0) {
            line(head, "Content-Type: " + request.body().contentType());
        }
        for (var header : request.headers().entrySet()) {
            line(head, header.getKey() + ": " + header.getValue());
        }
        line(head, "");
        return head.toByteArray();
    }

    private static void line(ByteArrayOutputStream head, String text) throws IOException {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IOException("a line break in the request's head");
        }
        head.write(text.getBytes(StandardCharsets.UTF_8));
        head.write('\r');
        head.write('\n');
    }
}
