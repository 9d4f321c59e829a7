package dev.soloist.operator.injection;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The HTTPS end of the webhook: `POST /inject`. Runs on every replica, leader or not, and outside the operator
/// framework's life.
public final class WebhookServer implements AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(WebhookServer.class);

    /// The API server itself accepts requests of 3 MiB.
    private static final int MAX_BODY = 8 << 20;

    private final AdmissionHandler handler;
    private final WebhookObserver observer;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private WebhookServer(HttpsServer server, AdmissionHandler handler, WebhookObserver observer) {
        this.server = server;
        this.handler = handler;
        this.observer = observer;
    }

    /// Binds and serves. Port 0 takes any free one.
    ///
    /// @throws IOException if the port is taken
    public static WebhookServer start(
            InetSocketAddress address, SSLContext tls, AdmissionHandler handler, WebhookObserver observer)
            throws IOException {
        var https = HttpsServer.create(address, 0);
        https.setHttpsConfigurator(new HttpsConfigurator(tls));
        var server = new WebhookServer(https, handler, observer);
        https.setExecutor(server.threads);
        https.createContext("/inject", server::exchange);
        https.start();
        return server;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /// Lets calls in progress end, for at most a second.
    @Override
    public void close() {
        server.stop(1);
        threads.close();
    }

    private void exchange(HttpExchange exchange) throws IOException {
        var begun = System.nanoTime();
        var result = "error";
        try (exchange) {
            result = answer(exchange);
        } catch (RuntimeException bug) {
            LOGGER.atError().setCause(bug).log("the webhook failed: the API server decides by its failurePolicy");
        } finally {
            observer.answered(result, System.nanoTime() - begun);
        }
    }

    private String answer(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.sendResponseHeaders(405, -1);
            return "error";
        }
        var body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            exchange.sendResponseHeaders(413, -1);
            return "error";
        }
        var answer = handler.answer(body);
        if (answer.isEmpty()) {
            exchange.sendResponseHeaders(400, -1);
            return "error";
        }
        var bytes = answer.get().body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        return answer.get().result();
    }
}
