package dev.soloist.sidecar.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.delayed.Payload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Every way in which an app may answer or fail to, told apart. */
class AppCallTest {

    private final AtomicInteger connections = new AtomicInteger();

    @Test
    void wholeResponsesOfEveryFormAreRead() throws IOException {
        assertThat(answerTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\n\r\nok"))
                .isEqualTo(new AppResponse.Answered(200, Map.of("content-length", "2", "x-a", "b"), "ok"));
        assertThat(status("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n3;x=y\r\nabc\r\n0\r\n\r\n"))
                .isEqualTo(200);
        assertThat(status("HTTP/1.0 500 Oops\r\n\r\nuntil the end")).isEqualTo(500);
        assertThat(status("HTTP/1.1 204 No Content\r\n\r\n")).isEqualTo(204);
        assertThat(status("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"))
                .isEqualTo(202);
    }

    @Test
    void brokenResponsesAreBrokenAndThePostIsSentOnce() throws IOException {
        assertThat(answerTo("")).isInstanceOf(AppResponse.Broken.class);
        assertThat(connections).hasValue(1);
        assertThat(answerTo("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
                .isInstanceOf(AppResponse.Broken.class);
        assertThat(answerTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))
                .isInstanceOf(AppResponse.Broken.class);
        assertThat(answerTo("SSH-2.0-OpenSSH\r\n")).isInstanceOf(AppResponse.Broken.class);
        assertThat(answerTo("x".repeat(100_000))).isInstanceOf(AppResponse.Broken.class);
    }

    @Test
    void nobodyListeningIsRefused() throws IOException {
        int port;
        try (var server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = server.getLocalPort();
        }
        assertThat(new AppCall(request(port, Duration.ofSeconds(60))).execute()).isEqualTo(new AppResponse.Refused());
    }

    @Test
    void aSilentAppTimesOutAndAnAbortEndsTheCallAtOnce() throws Exception {
        try (var server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThat(new AppCall(request(server.getLocalPort(), Duration.ofMillis(100))).execute())
                    .isEqualTo(new AppResponse.TimedOut());

            var call = new AppCall(request(server.getLocalPort(), Duration.ofSeconds(60)));
            var begun = new CountDownLatch(1);
            Thread.ofVirtual().start(() -> {
                try (var first = server.accept();
                        var second = server.accept()) {
                    second.getInputStream().read();
                    begun.countDown();
                    call.abort();
                } catch (IOException e) {
                    begun.countDown();
                }
            });
            assertThat(call.execute()).isEqualTo(new AppResponse.Aborted());
            begun.await();
        }
    }

    private int status(String response) throws IOException {
        return ((AppResponse.Answered) answerTo(response)).status();
    }

    private AppResponse answerTo(String response) throws IOException {
        connections.set(0);
        try (var server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try (var socket = server.accept()) {
                        connections.incrementAndGet();
                        var in = socket.getInputStream();
                        var seen = new StringBuilder();
                        while (seen.indexOf("\r\n\r\nbody") < 0) {
                            seen.append((char) in.read());
                        }
                        socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            return new AppCall(request(server.getLocalPort(), Duration.ofSeconds(60))).execute();
        }
    }

    private static AppRequest request(int port, Duration timeout) {
        var body = Payload.of("body".getBytes(StandardCharsets.UTF_8), "text/plain");
        return new AppRequest("POST", port, "/x", Map.of("A", "b"), body, timeout);
    }
}
