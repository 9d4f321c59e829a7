import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An app that takes its work from Soloist. It needs the JDK only: {@code java App.java}.
 *
 * <p>What an app must have is {@link #start} (the sidecar's POST: do the work, answer 2xx) and {@link #cancel} (the
 * sidecar's DELETE: stop it, answer 2xx once it has stopped). {@link #enqueue} shows how to use the sidecar's API. The
 * rest lets a reader see what happens: each start and end of work is one JSON line on standard output and in
 * {@code GET /runs}.
 */
final class App {

    private static final int PORT = Integer.parseInt(setting("PORT", "8080"));
    private static final long WORK_MILLIS = Long.parseLong(setting("WORK_MILLIS", "200"));
    private static final String POD = setting("POD_NAME", setting("HOSTNAME", "local"));
    private static final String API = setting("SOLOIST_API", "http://127.0.0.1:7600");
    private static final Path TOKEN_FILE = Path.of(setting("SOLOIST_TOKEN_FILE", "/var/run/soloist/token"));
    private static final int KEPT_LINES = 10_000;

    private final HttpClient sidecar =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Map<String, Work> working = new ConcurrentHashMap<>();
    private final Deque<String> lines = new ArrayDeque<>();

    /** One piece of work in progress: a run of a singleton or one task. */
    private record Work(CountDownLatch cancelled, CountDownLatch ended) {}

    private record Answer(int status, String contentType, String body) {
        static Answer text(int status, String body) {
            return new Answer(status, "text/plain", body + "\n");
        }
    }

    private interface Route {
        Answer handle(HttpExchange exchange) throws IOException, InterruptedException;
    }

    public static void main(String[] arguments) throws IOException {
        var app = new App();
        var server = HttpServer.create(new InetSocketAddress(PORT), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/jobs/", answering(app::work));
        server.createContext("/tasks/", answering(app::work));
        server.createContext("/enqueue", answering(app::enqueue));
        server.createContext("/runs", answering(app::runs));
        server.createContext("/healthz", answering(exchange -> Answer.text(200, "ok")));
        // At the end of the pod: nothing new is accepted, what has begun is finished.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(20)));
        server.start();
    }

    private Answer work(HttpExchange exchange) throws IOException, InterruptedException {
        if (!fromSidecar(exchange.getRequestHeaders())) {
            return Answer.text(401, "this call must carry the token of the pod's sidecar");
        }
        return switch (exchange.getRequestMethod()) {
            case "POST" -> start(exchange.getRequestURI().getPath(), exchange.getRequestHeaders());
            case "DELETE" -> cancel(query(exchange));
            default -> Answer.text(405, "POST starts work, DELETE stops it");
        };
    }

    /** Does the work and answers when it is done. */
    private Answer start(String path, Headers headers) throws InterruptedException {
        var id = headers.getFirst("Soloist-Task") != null
                ? headers.getFirst("Soloist-Task")
                : headers.getFirst("Soloist-Run") != null
                        ? headers.getFirst("Soloist-Run")
                        : headers.getFirst("Soloist-Broadcast");
        if (id == null) {
            return Answer.text(400, "neither Soloist-Run, Soloist-Task nor Soloist-Broadcast is set");
        }
        var work = new Work(new CountDownLatch(1), new CountDownLatch(1));
        if (working.putIfAbsent(id, work) != null) {
            return Answer.text(503, "this work is still going on here");
        }
        var outcome = "failed";
        try {
            record("start", path, headers, "");
            // Real work goes here. Where an overlap would do harm, hand the fence to the database and let it refuse
            // any fence that is smaller than one it has seen.
            outcome = work.cancelled.await(WORK_MILLIS, TimeUnit.MILLISECONDS) ? "cancelled" : "done";
        } finally {
            record("end", path, headers, outcome);
            working.remove(id);
            work.ended.countDown();
        }
        return outcome.equals("done") ? Answer.text(200, "done") : Answer.text(500, outcome);
    }

    /** Stops the work; 2xx promises that nothing of it goes on here. */
    private Answer cancel(Map<String, String> query) throws InterruptedException {
        var work = working.get(query.getOrDefault("run", query.getOrDefault("task", "")));
        if (work != null) {
            work.cancelled.countDown();
            if (!work.ended.await(4, TimeUnit.SECONDS)) {
                return Answer.text(500, "still stopping");
            }
        }
        return Answer.text(200, "stopped");
    }

    /** {@code POST /enqueue?job=..&id=..&delay=..&key=..}: hands a task to the sidecar, with the body, if any, as its payload. */
    private Answer enqueue(HttpExchange exchange) throws IOException, InterruptedException {
        var query = query(exchange);
        if (!exchange.getRequestMethod().equals("POST") || !query.containsKey("job")) {
            return Answer.text(400, "POST /enqueue?job=NAME&id=ID&delay=10s, with a JSON value as the body if you like");
        }
        var payload = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var members = new ArrayList<String>();
        if (query.containsKey("id")) {
            members.add("\"id\":" + quoted(query.get("id")));
        }
        if (query.containsKey("key")) {
            members.add("\"dedupKey\":" + quoted(query.get("key")));
        }
        members.add("\"delay\":" + quoted(query.getOrDefault("delay", "0s")));
        if (!payload.isBlank()) {
            members.add("\"payload\":" + payload);
        }
        var job = URLEncoder.encode(query.get("job"), StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create(API + "/v1/jobs/" + job + "/tasks"))
                .header("Authorization", "Bearer " + token())
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofString("{" + String.join(",", members) + "}"))
                .build();
        try {
            var response = sidecar.send(request, BodyHandlers.ofString());
            var type = response.headers().firstValue("Content-Type").orElse("application/json");
            return new Answer(response.statusCode(), type, response.body());
        } catch (IOException e) {
            return Answer.text(503, "the sidecar does not answer: " + e);
        }
    }

    private Answer runs(HttpExchange exchange) {
        synchronized (lines) {
            return new Answer(200, "application/x-ndjson", String.join("", lines));
        }
    }

    private void record(String event, String path, Headers headers, String outcome) {
        var members = new LinkedHashMap<String, String>();
        members.put("event", event);
        members.put("path", path);
        members.put("job", headers.getFirst("Soloist-Job"));
        members.put("run", headers.getFirst("Soloist-Run"));
        members.put("task", headers.getFirst("Soloist-Task"));
        members.put("broadcast", headers.getFirst("Soloist-Broadcast"));
        members.put("fence", headers.getFirst("Soloist-Fence"));
        members.put("attempt", headers.getFirst("Soloist-Attempt"));
        members.put("scheduledAt", headers.getFirst("Soloist-Scheduled-At"));
        members.put("outcome", outcome.isEmpty() ? null : outcome);
        members.put("pod", POD);
        members.put("clock", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        List<String> present = members.entrySet().stream()
                .filter(member -> member.getValue() != null)
                .map(member -> quoted(member.getKey()) + ":" + quoted(member.getValue()))
                .toList();
        var line = "{" + String.join(",", present) + "}\n";
        synchronized (lines) {
            if (lines.size() == KEPT_LINES) {
                lines.removeFirst();
            }
            lines.addLast(line);
            System.out.print(line);
            System.out.flush();
        }
    }

    private static boolean fromSidecar(Headers headers) {
        try {
            return ("Bearer " + token()).equals(headers.getFirst("Authorization"));
        } catch (IOException noToken) {
            return false;
        }
    }

    private static String token() throws IOException {
        return Files.readString(TOKEN_FILE).strip();
    }

    private static HttpHandler answering(Route route) {
        return exchange -> {
            Answer answer;
            try {
                answer = route.handle(exchange);
            } catch (InterruptedException e) {
                answer = Answer.text(503, "ending");
            } catch (IOException | RuntimeException e) {
                answer = Answer.text(500, String.valueOf(e.getMessage()));
            }
            var body = answer.body.getBytes(StandardCharsets.UTF_8);
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", answer.contentType);
                exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        };
    }

    private static Map<String, String> query(HttpExchange exchange) {
        var values = new LinkedHashMap<String, String>();
        var query = exchange.getRequestURI().getRawQuery();
        for (var pair : query == null ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                var value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                values.put(pair.substring(0, equals), value);
            }
        }
        return values;
    }

    private static String quoted(String text) {
        var json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                default -> json.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return json.append('"').toString();
    }

    private static String setting(String name, String otherwise) {
        var value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : value;
    }
}
