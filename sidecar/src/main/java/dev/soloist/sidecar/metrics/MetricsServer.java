package dev.soloist.sidecar.metrics;

import dev.soloist.sidecar.http.Handler;
import dev.soloist.sidecar.http.HttpListener;
import dev.soloist.sidecar.http.Request;
import dev.soloist.sidecar.http.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The read-only server on the pod's address: scrapes and probes, no token, nothing that changes anything. Thread-safe. */
public final class MetricsServer implements Handler, AutoCloseable {

    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text";

    private final Meters meters;
    private final Health health;
    private final HttpListener listener;

    /** Listens from now on. */
    public MetricsServer(String address, int port, Meters meters, Health health) throws IOException {
        this.meters = meters;
        this.health = health;
        this.listener = new HttpListener(new InetSocketAddress(address, port), this);
    }

    /** The port it listens on. */
    public int port() {
        return listener.port();
    }

    @Override
    public Response handle(Request request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return new Response(405, Map.of("Allow", "GET, HEAD", "Content-Type", PLAIN), bytes("only GET\n"));
        }
        int query = request.target().indexOf('?');
        return switch (query < 0 ? request.target() : request.target().substring(0, query)) {
            case "/metrics" -> metrics(request);
            case "/livez" -> probe(true);
            case "/readyz" -> probe(health.ready());
            case "/startupz" -> probe(health.started());
            default -> text(404, PLAIN, "/metrics /livez /readyz /startupz\n");
        };
    }

    @Override
    public Response malformed(String reason) {
        return text(400, PLAIN, reason + "\n");
    }

    private Response metrics(Request request) {
        var accept = String.valueOf(request.header("Accept"));
        var type = accept.contains(OPEN_METRICS) ? OPEN_METRICS + "; version=1.0.0; charset=utf-8" : TEXT;
        return text(200, type, meters.scrape(type));
    }

    private static Response probe(boolean good) {
        return text(good ? 200 : 503, PLAIN, good ? "ok\n" : "not now\n");
    }

    private static Response text(int status, String type, String text) {
        return new Response(status, Map.of("Content-Type", type), bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        listener.close();
    }
}
