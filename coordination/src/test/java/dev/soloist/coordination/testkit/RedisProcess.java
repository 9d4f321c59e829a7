package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real redis-server on a free loopback port. As a static {@code @RegisterExtension} it starts before the class, is
 * emptied before each test and ends after the class; it can also be started and closed by hand.
 */
public final class RedisProcess implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback, AutoCloseable {

    /** For whom a slow answer is as good as a quick one; what a link does about silence is tested with bounds of its own. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration START = Duration.ofSeconds(60);

    private final List<String> options;
    private final @Nullable TlsFiles tls;
    private final Credentials credentials;
    private final Path folder;
    private final int port;
    private Map<String, String> environment = Map.of();
    private String binary = RedisBinary.path();
    private @Nullable Process process;

    /** A server with the given further options, each as on the command line: {@code "--maxmemory", "2mb"}. */
    public RedisProcess(String... options) {
        this(FreePorts.one(), null, Credentials.NONE, List.of(options));
    }

    /** The oldest version that is supported, which the tests bring along: 6.2. */
    public static RedisProcess oldest(String... options) {
        var server = new RedisProcess(options);
        server.binary = RedisBinary.embedded();
        return server;
    }

    private RedisProcess(int port, @Nullable TlsFiles tls, Credentials credentials, List<String> options) {
        this.port = port;
        this.tls = tls;
        this.credentials = credentials;
        this.options = options;
        try {
            this.folder = Files.createTempDirectory("soloist-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the server's wall clock be the given one, from its next start on. */
    public RedisProcess with(FakeClock clock) {
        environment = clock.environment();
        return this;
    }

    /** The same on another port. Not for one that was started. */
    public RedisProcess on(int other) {
        return new RedisProcess(other, tls, credentials, options);
    }

    /** The same with further options. Not for one that was started. */
    public RedisProcess with(String... further) {
        var all = new ArrayList<>(options);
        all.addAll(List.of(further));
        return new RedisProcess(port, tls, credentials, all);
    }

    /** The same behind encryption, with the server's certificate of the given files. Not for one that was started. */
    public RedisProcess encrypted(TlsFiles files) {
        return new RedisProcess(port, files, credentials, options).with(files.serverOptions(port));
    }

    /** The same with a password for the default user and for a replica's primary. Not for one that was started. */
    public RedisProcess protectedBy(String password) {
        return new RedisProcess(port, tls, new Credentials(null, password), options)
                .with("--requirepass", password, "--masterauth", password);
    }

    /** The port it listens on; the same after a restart. */
    public int port() {
        return port;
    }

    /** {@code 127.0.0.1:port}, or {@code localhost:port}, the name in its certificate, if it is encrypted. */
    public String address() {
        return server().toString();
    }

    /** As {@link #address()}. */
    public HostAndPort server() {
        return new HostAndPort(tls == null ? "127.0.0.1" : "localhost", port);
    }

    /** Settings for a link to it. */
    public RedisSettings settings() {
        var plain = RedisSettings.of(address(), credentials, "test");
        return tls == null ? plain : plain.withTls(tls.client());
    }

    /** Where it keeps its data, and its log. */
    public Path folder() {
        return folder;
    }

    /** Whether it was started and neither killed nor stopped since. */
    public boolean isRunning() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** A connected link, which waits patiently for answers; the caller closes it. */
    public RedisLink link() {
        return connected(RedisLink.open(settings().withCommandTimeout(PATIENCE)));
    }

    /** Waits until the link is connected, and returns it. */
    public static RedisLink connected(RedisLink link) {
        try {
            if (!link.awaitConnected(START)) {
                throw new IllegalStateException("no connection to Redis: " + link.trouble());
            }
            // The link's own first command must be answered, or a fault set next would hit that one instead of the
            // test's.
            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(link.clock()::isSet);
            return link;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts the server, with the data of before if it kept any, and waits until it answers. */
    public RedisProcess start() {
        var command = new ArrayList<>(List.of(
                binary,
                "--port",
                tls == null ? String.valueOf(port) : "0",
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                folder.toString()));
        command.addAll(options);
        long end = System.nanoTime() + START.toNanos();
        do {
            launch(command);
            // A port that something else took a moment ago comes free again: those that know it are to find this server
            // there.
        } while (!answers(end) && System.nanoTime() - end < 0);
        try (RedisLink link = link()) {
            link.now();
            if (!DocumentedUser.ROLE.isEmpty()) {
                DocumentedUser.impose(link);
            }
        }
        return this;
    }

    private void launch(List<String> command) {
        try {
            Files.createDirectories(folder);
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(new File(folder.toFile(), "redis.log"));
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    /** Waits until the server answers or has ended, which it says at once if it cannot listen; returns whether it answers. */
    private boolean answers(long end) {
        Process started = Objects.requireNonNull(process);
        try (RedisLink link = RedisLink.open(settings())) {
            while (!link.awaitConnected(Duration.ofMillis(100))) {
                if (!started.isAlive()) {
                    System.out.println("a server has ended: " + log());
                    return false;
                }
                if (System.nanoTime() - end >= 0) {
                    throw new IllegalStateException(
                            "no connection to " + address() + ": " + link.trouble() + "; " + log());
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The end of what the server wrote since its last start. */
    String log() {
        return Persistence.lastLines(folder.resolve("redis.log"));
    }

    /** Ends the server at once, as a crash does. */
    public void kill() {
        end(true);
    }

    /** Lets the server end in order. */
    public void stop() {
        end(false);
    }

    /** Freezes or thaws the server: it keeps its connections and answers nobody. */
    public void pause(boolean frozen) {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("Redis is not running");
        }
        try {
            new ProcessBuilder("kill", frozen ? "-STOP" : "-CONT", String.valueOf(running.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (process == null) {
            start();
        }
        try (RedisLink link = link()) {
            link.call("FLUSHALL");
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        String refused = "";
        if (!DocumentedUser.ROLE.isEmpty() && process != null) {
            try (RedisLink link = link()) {
                refused = DocumentedUser.refusals(link);
            }
        }
        close();
        if (!refused.isEmpty()) {
            throw new AssertionError("refused under the documented rules of '" + DocumentedUser.ROLE + "': " + refused);
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void end(boolean atOnce) {
        Process running = process;
        process = null;
        if (running == null) {
            return;
        }
        if (atOnce) {
            running.destroyForcibly();
        } else {
            running.destroy();
        }
        try {
            if (!running.waitFor(10, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@link FreePorts#one}. */
    public static int freePort() {
        return FreePorts.one();
    }
}
