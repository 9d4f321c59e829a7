package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.Tls;
import io.lettuce.core.RedisException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** One Sentinel on a free loopback port, that watches one primary. */
public final class SentinelProcess implements AutoCloseable {

    private final String name;
    private final Duration downAfter;
    private final @Nullable TlsFiles tls;
    private final @Nullable String password;
    private final @Nullable Tls client;
    private final int port = RedisProcess.freePort();
    private final Path folder;
    private @Nullable Process process;

    /** What a Sentinel knows. */
    record State(HostAndPort primary, long otherSentinels, long replicas, boolean isFailingOver) {}

    /** Its log; begun anew with each start. */
    Path log() {
        return folder.resolve("sentinel.log");
    }

    SentinelProcess(
            String name, HostAndPort primary, Duration downAfter, @Nullable TlsFiles tls, @Nullable String password) {
        this.name = name;
        this.downAfter = downAfter;
        this.tls = tls;
        this.password = password;
        this.client = tls == null ? null : tls.client();
        try {
            folder = Files.createTempDirectory("soloist-sentinel");
            Files.write(folder.resolve("sentinel.conf"), lines(primary));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it listens. */
    public HostAndPort server() {
        return new HostAndPort(tls == null ? "127.0.0.1" : "localhost", port);
    }

    /** Whether it was started and not killed since. */
    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts it with what it knew before. */
    public SentinelProcess start() {
        try {
            process = new ProcessBuilder(
                            RedisBinary.path(), folder.resolve("sentinel.conf").toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> !isRunning() || !ask("PING").isEmpty());
        if (!isRunning()) {
            throw new IllegalStateException(server() + " ended at once: " + Persistence.lastLines(log()));
        }
        neverTilt();
        return this;
    }

    /**
     * A Sentinel that finds that it stood still for two seconds does nothing for half a minute. In production that is wise.
     */
    private void neverTilt() {
        try {
            ask("SENTINEL", "debug", "tilt-trigger", "600000");
        } catch (RedisException unknown) {
            // Only from 7.0 on can it be told so. Whoever waits for an older one has to wait longer.
        }
    }

    /** Ends it at once. */
    public void kill() {
        if (process != null) {
            try {
                process.destroyForcibly().waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process = null;
        }
    }

    /** Stops to watch, unless it has. */
    void forget() {
        ask("SENTINEL", "remove", name);
    }

    /** Whether it watches a primary under the name. */
    boolean isWatching() {
        return ask("SENTINEL", "get-master-addr-by-name", name).size() == 2;
    }

    /** Begins to watch another primary under the same name. */
    void monitor(HostAndPort primary) {
        ask("SENTINEL", "monitor", name, primary.host(), String.valueOf(primary.port()), "2");
        if (password != null) {
            ask("SENTINEL", "set", name, "auth-pass", password);
        }
        allowSilence(downAfter);
    }

    /** After how long without an answer the primary counts as down. */
    void allowSilence(Duration time) {
        ask("SENTINEL", "set", name, "down-after-milliseconds", String.valueOf(time.toMillis()));
    }

    HostAndPort primaryAddress() {
        List<Object> reply = ask("SENTINEL", "get-master-addr-by-name", name);
        return new HostAndPort(String.valueOf(reply.get(0)), Integer.parseInt(String.valueOf(reply.get(1))));
    }

    State state() {
        List<Object> reply = ask("SENTINEL", "master", name);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            fields.put(String.valueOf(reply.get(i)), String.valueOf(reply.get(i + 1)));
        }
        return new State(
                primaryAddress(),
                Long.parseLong(fields.getOrDefault("num-other-sentinels", "0")),
                Long.parseLong(fields.getOrDefault("num-slaves", "0")),
                fields.getOrDefault("flags", "").contains("failover"));
    }

    /** Sends it a command. */
    public List<Object> ask(String command, String... arguments) {
        var who = password == null ? Credentials.NONE : new Credentials(null, password);
        return Wire.ask(server(), who, client, command, arguments);
    }

    @Override
    public void close() {
        kill();
        for (File file : folder.toFile().listFiles()) {
            file.delete();
        }
        folder.toFile().delete();
    }

    private List<String> lines(HostAndPort primary) {
        var lines = new ArrayList<String>();
        lines.add("port " + (tls == null ? port : 0));
        lines.add("bind 127.0.0.1");
        lines.add("dir " + folder);
        if (tls != null) {
            lines.addAll(tls.serverLines(port));
            lines.add("sentinel resolve-hostnames yes");
            lines.add("sentinel announce-hostnames yes");
            lines.add("sentinel announce-ip localhost");
        }
        if (password != null) {
            lines.add("requirepass " + password);
        }
        lines.add("sentinel monitor " + name + " " + primary.host() + " " + primary.port() + " 2");
        lines.add("sentinel down-after-milliseconds " + name + " " + downAfter.toMillis());
        lines.add("sentinel failover-timeout " + name + " 3000");
        if (password != null) {
            lines.add("sentinel auth-pass " + name + " " + password);
        }
        return lines;
    }
}
