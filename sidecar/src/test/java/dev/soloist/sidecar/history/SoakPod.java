package dev.soloist.sidecar.history;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.contract.Variable;
import dev.soloist.coordination.history.History;
import dev.soloist.coordination.history.Timeline;
import dev.soloist.coordination.testkit.FakeClock;
import dev.soloist.coordination.testkit.FaultyLink;
import dev.soloist.coordination.testkit.RedisProcess;
import dev.soloist.sidecar.testkit.Jobs;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A pod: an app, and a sidecar in a process of its own behind a link that can be broken. Thread-safe as far as its steps need it. */
final class SoakPod implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    final String uid;
    final FaultyLink link;
    final SoakApp app;
    private final Path folder;
    private final int apiPort = RedisProcess.freePort();
    private final int metricsPort = RedisProcess.freePort();
    private final Optional<FakeClock> clock;
    private final AtomicInteger broken = new AtomicInteger();
    private Process process;

    SoakPod(String uid, int redisPort, History history, Timeline time, Optional<FakeClock> clock) {
        this.uid = uid;
        this.clock = clock;
        this.link = new FaultyLink(redisPort);
        this.app = new SoakApp(uid, history, time);
        try {
            folder = Files.createTempDirectory("soak-" + uid);
            Files.writeString(folder.resolve(StoreFile.ADDRESS.fileName()), link.address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process = begin();
    }

    private Process begin() {
        var builder = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        // The heap and the flags of the image.
                        "@src/main/image/jvm.flags",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SoakSidecar.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()));
        var env = builder.environment();
        env.put(Variable.POD_UID.key(), uid);
        env.put(Variable.POD_NAME.key(), "pod-" + uid);
        env.put(Variable.POD_NAMESPACE.key(), Jobs.NAMESPACE);
        env.put(Variable.STORE_DIR.key(), folder.toString());
        env.put(Variable.TOKEN_FILE.key(), folder.resolve("token").toString());
        env.put(Variable.API_PORT.key(), Integer.toString(apiPort));
        env.put(Variable.METRICS_PORT.key(), Integer.toString(metricsPort));
        env.put(Variable.METRICS_ADDRESS.key(), "127.0.0.1");
        env.put(Variable.TRIGGER_PORT.key(), Integer.toString(app.port()));
        clock.ifPresent(fake -> env.putAll(fake.environment()));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    File log() {
        return folder.resolve("log").toFile();
    }

    synchronized void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void restart() {
        if (!process.isAlive()) {
            process = begin();
        }
    }

    synchronized void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Breaks the link in some further way. */
    void breakLink(Consumer<FaultyLink> how) {
        broken.incrementAndGet();
        how.accept(link);
    }

    /** Ends one break of the link; the link is well again when the last one has ended. */
    void mendLink() {
        if (broken.decrementAndGet() == 0) {
            link.heal();
        }
    }

    void step(Duration ahead) {
        clock.ifPresent(fake -> fake.step(ahead));
    }

    /** Status of a call of the app to its sidecar; 0 if there was no answer. */
    int call(String method, String path, String body, String key) {
        return answer(method, path, body, key.isEmpty() ? List.of() : List.of("Idempotency-Key", key))
                .map(HttpResponse::statusCode)
                .orElse(0);
    }

    /** The answer to a call of the app to its sidecar, if there was one; headers are names and values in turn. */
    Optional<HttpResponse<String>> answer(String method, String path, String body, List<String> headers) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + apiPort + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .timeout(Duration.ofSeconds(6))
                    .header("Authorization", "Bearer " + Files.readString(folder.resolve("token")));
            if (!body.isEmpty()) {
                request.header("Content-Type", "application/json");
            }
            for (int i = 0; i < headers.size(); i += 2) {
                request.header(headers.get(i), headers.get(i + 1));
            }
            return Optional.of(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        kill();
        app.close();
        link.close();
    }
}
