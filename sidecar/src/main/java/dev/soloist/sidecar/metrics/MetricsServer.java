package dev.soloist.sidecar.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The read-only server on the pod's address: scrapes and probes, no token, nothing that changes anything. Thread-safe. */
public final class MetricsServer implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text";

    private final Meters meters;
    private final Health health;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Listens from now on. */
    public MetricsServer(String address, int port, Meters meters, Health health) throws IOException {
        this.meters = meters;
        this.health = health;
        this.server = HttpServer.create(new InetSocketAddress(address, port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                answer(exchange, 405, "text/plain", "only GET\n");
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> metrics(exchange);
                case "/livez" -> answer(exchange, 200, "text/plain", "alive\n");
                case "/readyz" -> probe(exchange, health.ready());
                case "/startupz" -> probe(exchange, health.started());
                case null, default -> answer(exchange, 404, "text/plain", "/metrics /livez /readyz /startupz\n");
            }
        }
    }

    private void metrics(HttpExchange exchange) throws IOException {
        var accept = String.valueOf(exchange.getRequestHeaders().getFirst("Accept"));
        var type = accept.contains(OPEN_METRICS) ? OPEN_METRICS + "; version=1.0.0; charset=utf-8" : TEXT;
        answer(exchange, 200, type, meters.scrape(type));
    }

    private static void probe(HttpExchange exchange, boolean good) throws IOException {
        answer(exchange, good ? 200 : 503, "text/plain", good ? "ok\n" : "not now\n");
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        var body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
