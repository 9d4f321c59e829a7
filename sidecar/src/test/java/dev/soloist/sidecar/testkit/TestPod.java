package dev.soloist.sidecar.testkit;

import dev.soloist.coordination.contract.SidecarEnvironment;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.sidecar.Sidecar;
import dev.soloist.sidecar.jobs.Pace;
import dev.soloist.sidecar.settings.SidecarSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/** A pod in this process: a sidecar behind a link of its own that can be broken, and the calls an app makes to it. */
public final class TestPod implements AutoCloseable {

    /**
     * Short times, so that a test waits for facts and not for ceilings. Only a pod is not called dead for that this machine
     * stands still for some seconds.
     */
    public static final Pace QUICK = pace(Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** The same for tests in which pods are called dead for their silence: soon, and also those that were frozen for a while. */
    public static final Pace DEADLY = pace(Duration.ofSeconds(2), Duration.ofSeconds(1));

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    public final String uid;
    public final FaultyLink link;
    private final Path directory;
    private final Pace pace;
    private final boolean endsWithApp;
    private Sidecar sidecar;

    private static Pace pace(Duration instanceLease, Duration adoptAfter) {
        return new Pace(
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                instanceLease,
                adoptAfter,
                Duration.ofMillis(500),
                Duration.ofMillis(500));
    }

    public TestPod(String uid, int redisPort) {
        this(uid, redisPort, QUICK);
    }

    public TestPod(String uid, int redisPort, Pace pace) {
        this(uid, redisPort, pace, false, Map.of());
    }

    /** With an ordinary container as sidecar, which is told to end at the same moment as the app. */
    public static TestPod withOrdinarySidecar(String uid, int redisPort) {
        return new TestPod(uid, redisPort, QUICK, true, Map.of());
    }

    /** With another store than one server alone, as its Secret says; not behind the link. */
    public TestPod(String uid, Map<StoreFile, String> store) {
        this(uid, 0, QUICK, false, store);
    }

    private TestPod(String uid, int redisPort, Pace pace, boolean endsWithApp, Map<StoreFile, String> store) {
        this.uid = uid;
        this.pace = pace;
        this.endsWithApp = endsWithApp;
        this.link = new FaultyLink(redisPort);
        try {
            directory = Files.createTempDirectory("pod");
            store(link.address());
            store.forEach(this::store);
            sidecar = new Sidecar(settings(), pace).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the store's address, as the kubelet does when the Secret appears or changes. */
    public void store(String address) {
        store(StoreFile.ADDRESS, address);
    }

    /** Writes one file of the store's Secret. */
    public void store(StoreFile file, String content) {
        try {
            Files.writeString(directory.resolve(file.fileName()), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SidecarSettings settings() {
        var environment = new SidecarEnvironment(
                "main",
                0,
                "127.0.0.1",
                0,
                directory.toString(),
                directory.resolve("token").toString(),
                30,
                "INFO");
        return new SidecarSettings(
                environment, Jobs.NAMESPACE, "pod-" + uid, uid, uid, OptionalInt.empty(), endsWithApp);
    }

    public Sidecar sidecar() {
        return sidecar;
    }

    /** The process is gone from one moment to the next, as far as Redis can see. */
    public void kill() {
        link.cut();
        sidecar.close();
    }

    /** The container starts again in the same pod. */
    public TestPod restart() {
        link.heal();
        try {
            sidecar = new Sidecar(settings(), pace).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public HttpResponse<String> post(String path, String json, String... headers) {
        return send("POST", path, json, headers);
    }

    /** Reads, and once more when the store, which may stand still for a moment as well, did not answer in time. */
    public HttpResponse<String> get(String path) {
        var answer = send("GET", path, "");
        for (int again = 0; again < 2 && answer.statusCode() == 503; again++) {
            answer = send("GET", path, "");
        }
        return answer;
    }

    public HttpResponse<String> send(String method, String path, String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.apiPort() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(PATIENCE)
                .header("Authorization", sidecar.authorization());
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    public String metrics() {
        return metrics("/metrics").body();
    }

    public HttpResponse<String> metrics(String path) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.metricsPort() + path))
                .timeout(PATIENCE)
                .build());
    }

    /** Value of the first sample whose line starts with the given text; 0 when there is none. */
    public double metric(String start) {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(0);
    }

    /**
     * How many turns of loops failed, but for what came of calls that the store, which may stand still for a moment, did not answer
     * in time.
     */
    public double loopErrors() {
        var all = metrics();
        return Math.max(
                0,
                sum(all, "soloist_loop_errors_total{")
                        - sum(all, "soloist_store_errors_total{kind=\"timeout\"")
                        - sum(all, "soloist_store_errors_total{kind=\"disconnected\""));
    }

    private static double sum(String metrics, String start) {
        return metrics.lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        sidecar.close();
        link.close();
    }
}
