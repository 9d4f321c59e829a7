package dev.soloist.sidecar.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server does with well-formed and ill-formed bytes, and with its own end. */
class HttpListenerTest {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private HttpListener listener;

    @BeforeEach
    void listen() throws IOException {
        var handler = new Handler() {
            @Override
            public Response handle(Request request) throws IOException {
                if (request.target().equals("/slow")) {
                    entered.countDown();
                    awaitGate();
                }
                var body = request.target().equals("/ignore")
                        ? new byte[0]
                        : request.body().readAllBytes();
                var text =
                        request.method() + " " + request.target() + " " + new String(body, StandardCharsets.ISO_8859_1);
                return new Response(200, Map.of("X-Test", "yes"), text.getBytes(StandardCharsets.ISO_8859_1));
            }

            @Override
            public Response malformed(String reason) {
                return new Response(400, Map.of(), reason.getBytes(StandardCharsets.UTF_8));
            }
        };
        listener = new HttpListener(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), handler);
    }

    private void awaitGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        listener.close();
    }

    @Test
    void oneConnectionServesManyRequestsOfEveryForm() throws IOException {
        var answer = raw("GET /a%2Fb HTTP/1.1\r\nHost: x\r\n\r\n"
                + "POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
                + "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n3;x=y\r\nfgh\r\n0\r\nT: x\r\n\r\n"
                + "POST /ignore HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyz"
                + "HEAD /d HTTP/1.1\r\n\r\n"
                + "GET /e HTTP/1.1\nConnection: close\n\n");

        assertThat(answer)
                .contains("GET /a%2Fb ")
                .contains("POST /b abc")
                .contains("POST /c defgh")
                .contains("GET /e ");
        assertThat(answer.split("HTTP/1.1 200 OK", -1)).hasSize(7);
        assertThat(answer).doesNotContain("HEAD /d");
        assertThat(answer).contains("Connection: close");
    }

    @Test
    void anOldClientGetsItsAnswerAndTheEndOfTheConnection() throws IOException {
        assertThat(raw("GET /x HTTP/1.0\r\nConnection: keep-alive\r\nAccept: a\r\nAccept: b\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("Connection: close")
                .contains("GET /x");
    }

    @Test
    void aClientThatAsksBeforeSendingIsToldToGoOn() throws IOException {
        assertThat(raw("POST /x HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 1\r\n\r\nz"))
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK")
                .contains("POST /x z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / x HTTP/1.1\r\n\r\n",
                "GET /\r\n\r\n",
                "GET / HTTP/2.0\r\n\r\n",
                "G(T / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
                "GET / HTTP/1.1\r\nname : x\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 1\r\ncontent-length: 1\r\n\r\nx",
                "GET / HTTP/1.1\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 1e3\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
                "\u0016\u0003\u0001\u0002\r\n\r\n"
            })
    void whatIsNoRequestIsRefusedByTheHandlerAndEndsTheConnection(String bytes) throws IOException {
        assertThat(raw(bytes)).startsWith("HTTP/1.1 400 Bad Request").contains("Connection: close");
    }

    @Test
    void aRequestInProgressIsAnsweredWhenTheServerCloses() throws Exception {
        var answer = new AtomicReference<>("");
        var client = Thread.ofVirtual().start(() -> {
            try {
                answer.set(raw("GET /slow HTTP/1.1\r\n\r\n"));
            } catch (IOException e) {
                answer.set(e.toString());
            }
        });
        entered.await();
        var closing = Thread.ofVirtual().start(() -> listener.close(Duration.ofMinutes(1)));
        while (accepts()) {
            Thread.onSpinWait();
        }

        gate.countDown();

        closing.join();
        client.join();
        assertThat(answer.get())
                .startsWith("HTTP/1.1 200 OK")
                .contains("Connection: close")
                .contains("GET /slow");
    }

    private boolean accepts() {
        try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), listener.port())) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private String raw(String bytes) throws IOException {
        try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), listener.port())) {
            socket.setSoTimeout(40_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            var answer = new StringBuilder();
            try {
                for (int c = socket.getInputStream().read();
                        c >= 0;
                        c = socket.getInputStream().read()) {
                    answer.append((char) c);
                }
            } catch (SocketException reset) {
                // what was answered before counts
            }
            return answer.toString();
        }
    }
}
