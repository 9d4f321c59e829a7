package dev.soloist.e2e.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/** A process that this test started, with its output in a file. */
final class ChildProcess implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private final Process process;
    private final Path log;

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        // It must not outlive a test that breaks before it can be closed.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "kill-" + process.pid()));
    }

    /** Starts a command in a folder, with its log {@code name.log} there and no environment but the one given. */
    static ChildProcess start(String name, Path folder, Map<String, String> environment, List<String> command) {
        var log = folder.resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            return new ChildProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    /** Starts a packaged module, {@code java -jar module/target/module-….jar}, with little memory. */
    static ChildProcess ofModule(String module, Path folder, Map<String, String> environment) {
        return start(
                module,
                folder,
                environment,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx96m",
                        "-jar",
                        jar(module).toString()));
    }

    private static Path jar(String module) {
        var target = Path.of("..", module, "target").toAbsolutePath().normalize();
        try (var files = Files.newDirectoryStream(target, module + "-*[0-9T].jar")) {
            for (var file : files) {
                return file;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no " + target + ": package the module before this test", e);
        }
        throw new IllegalStateException("no jar in " + target + ": package the module before this test");
    }

    /** Waits until a GET is answered with 200; fails with the end of the log. */
    ChildProcess awaitOk(String url) {
        var request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            Awaitility.await(url)
                    .atMost(Duration.ofSeconds(180))
                    .pollInterval(Duration.ofMillis(100))
                    .failFast("the process has ended", () -> !process.isAlive())
                    .ignoreExceptions()
                    .until(() -> HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200);
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            close();
            throw new AssertionError(url + " does not answer. The end of the log:\n" + logTail(), e);
        }
        return this;
    }

    /** The last lines it wrote. */
    String logTail() {
        try {
            var lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Ends it at once, as the kernel does when memory is short. */
    void kill() {
        end(process.destroyForcibly());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    private static void end(Process process) {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
