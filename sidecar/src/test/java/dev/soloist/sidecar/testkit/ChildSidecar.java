package dev.soloist.sidecar.testkit;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.contract.Variable;
import dev.soloist.coordination.testkit.FakeClock;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.SidecarMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sidecar as a process of its own, to be ended by real signals. */
public final class ChildSidecar implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    public final String uid;
    private final Path directory;
    private final int apiPort = RedisProcess.freePort();
    private final int metricsPort = RedisProcess.freePort();
    private final Process process;

    public ChildSidecar(String uid, String storeAddress, int graceSeconds, String... arguments) {
        this(uid, Map.of(StoreFile.ADDRESS, storeAddress), graceSeconds, Map.of(), arguments);
    }

    /** With all that the store's Secret may say. */
    public ChildSidecar(String uid, Map<StoreFile, String> store) {
        this(uid, store, 30, Map.of());
    }

    /** On a machine whose wall clock is the given one. */
    public ChildSidecar(String uid, String storeAddress, FakeClock clock) {
        this(uid, Map.of(StoreFile.ADDRESS, storeAddress), 30, clock.environment());
    }

    private ChildSidecar(
            String uid,
            Map<StoreFile, String> store,
            int graceSeconds,
            Map<String, String> environment,
            String... arguments) {
        this.uid = uid;
        try {
            directory = Files.createTempDirectory("child");
            for (var file : store.entrySet()) {
                Files.writeString(directory.resolve(file.getKey().fileName()), file.getValue());
            }
            var command = new ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    // The heap and the flags of the image.
                    "@src/main/image/jvm.flags",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SidecarMain.class.getName()));
            command.addAll(List.of(arguments));
            var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
            var env = builder.environment();
            env.put(Variable.POD_UID.key(), uid);
            env.put(Variable.POD_NAME.key(), "pod-" + uid);
            env.put(Variable.POD_NAMESPACE.key(), Jobs.NAMESPACE);
            env.put(Variable.STORE_DIR.key(), directory.toString());
            env.put(Variable.TOKEN_FILE.key(), directory.resolve("token").toString());
            env.put(Variable.API_PORT.key(), Integer.toString(apiPort));
            env.put(Variable.METRICS_PORT.key(), Integer.toString(metricsPort));
            env.put(Variable.METRICS_ADDRESS.key(), "127.0.0.1");
            env.put(Variable.GRACE_SECONDS.key(), Integer.toString(graceSeconds));
            env.putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return directory.resolve("log");
    }

    public Process process() {
        return process;
    }

    public String logText() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Status of a call, or 0 while nobody listens. */
    public int status(String method, String path, String body) {
        return send(method, path, body).map(HttpResponse::statusCode).orElse(0);
    }

    /** The answer to a call; none while nobody listens. */
    public Optional<HttpResponse<String>> send(String method, String path, String body) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + apiPort + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .timeout(PATIENCE)
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + Files.readString(directory.resolve("token")));
            return Optional.of(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Status of a probe, or 0 while nobody listens. */
    public int probe(String path) {
        return metrics(path).map(HttpResponse::statusCode).orElse(0);
    }

    /** Value of the first sample whose line starts with the given text; not a number while there is none. */
    public double metric(String start) {
        return metrics("/metrics")
                .map(HttpResponse::body)
                .orElse("")
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private Optional<HttpResponse<String>> metrics(String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + path))
                    .timeout(PATIENCE)
                    .build();
            return Optional.of(HTTP.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
