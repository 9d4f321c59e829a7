package dev.soloist.operator.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/// `/metrics`, `/livez`, `/readyz`, `/startupz`.
public final class HealthServer implements AutoCloseable {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// What the probes ask.
    public record Probes(BooleanSupplier live, BooleanSupplier ready, BooleanSupplier started) {}

    private HealthServer(HttpServer server) {
        this.server = server;
    }

    /// Binds and serves. Port 0 takes any free one.
    ///
    /// @throws IOException if the port is taken
    public static HealthServer start(InetSocketAddress address, PrometheusMeterRegistry registry, Probes probes)
            throws IOException {
        var http = HttpServer.create(address, 0);
        var server = new HealthServer(http);
        http.setExecutor(server.threads);
        http.createContext("/metrics", exchange -> metrics(exchange, registry));
        http.createContext("/livez", exchange -> probe(exchange, probes.live()));
        http.createContext("/readyz", exchange -> probe(exchange, probes.ready()));
        http.createContext("/startupz", exchange -> probe(exchange, probes.started()));
        http.start();
        return server;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    private static void metrics(HttpExchange exchange, PrometheusMeterRegistry registry) throws IOException {
        var accept = exchange.getRequestHeaders().getFirst("Accept");
        var openMetrics = accept != null && accept.contains("application/openmetrics-text");
        var type = openMetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : TEXT;
        answer(exchange, 200, type, registry.scrape(type));
    }

    private static void probe(HttpExchange exchange, BooleanSupplier probe) throws IOException {
        var fine = probe.getAsBoolean();
        answer(exchange, fine ? 200 : 503, "text/plain; charset=utf-8", fine ? "ok\n" : "not yet\n");
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
