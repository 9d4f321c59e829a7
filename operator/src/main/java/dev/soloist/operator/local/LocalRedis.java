package dev.soloist.operator.local;

import dev.soloist.coordination.key.Install;
import dev.soloist.coordination.link.CommandObserver;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.HostAndPort;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.coordination.link.Topology;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The Redis that everything here uses: one that runs already (`REDIS_URL`), where our keys are removed at the end, or
/// one of our own that keeps nothing.
final class LocalRedis implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Pattern VERSION = Pattern.compile("(?m)^(valkey|redis)_version:(\\S+)");

    private final RedisSettings settings;
    private final RedisLink link;
    private final Install install;
    private final String description;
    private final boolean ours;

    private LocalRedis(RedisSettings settings, RedisLink link, Install install, String description, boolean ours) {
        this.settings = settings;
        this.link = link;
        this.install = install;
        this.description = description;
        this.ours = ours;
    }

    static LocalRedis start(String url, Children children, Path folder)
            throws IOException, NoRedis, InterruptedException {
        return url.isBlank() ? own(children, folder) : existing(URI.create(url));
    }

    private static LocalRedis existing(URI url) throws NoRedis, InterruptedException {
        if (!"redis".equals(url.getScheme()) || url.getHost() == null) {
            throw new NoRedis("REDIS_URL is not redis://[user:password@]host[:port]");
        }
        int port = url.getPort() < 0 ? 6379 : url.getPort();
        var server = new HostAndPort(url.getHost(), port);
        var settings =
                RedisSettings.of(new Topology.Standalone(server), credentials(url.getUserInfo()), "soloist-local");
        var install = new Install("demo-" + UUID.randomUUID().toString().substring(0, 8));
        return connect(settings, install, "REDIS_URL", false, () -> true);
    }

    private static Credentials credentials(@Nullable String userInfo) {
        if (userInfo == null || userInfo.isEmpty()) {
            return Credentials.NONE;
        }
        int colon = userInfo.indexOf(':');
        var user = colon < 0 ? "" : userInfo.substring(0, colon);
        return new Credentials(user, userInfo.substring(colon + 1));
    }

    private static LocalRedis own(Children children, Path folder) throws IOException, NoRedis, InterruptedException {
        var binary = RedisBinary.find(folder);
        int port = FreePort.next();
        var log = folder.resolve("redis.log");
        var command = List.of(
                binary.path().toString(),
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                folder.toString(),
                "--logfile",
                log.toString());
        var process = children.start(command, Map.of(), log);
        var settings = RedisSettings.of("127.0.0.1:" + port, Credentials.NONE, "soloist-local");
        try {
            return connect(settings, new Install("demo"), binary.from(), true, process::isAlive);
        } catch (NoRedis e) {
            // The embedded binary needs glibc and OpenSSL 3; its own words say what it misses.
            throw process.isAlive() ? e : new NoRedis(lastLine(log));
        }
    }

    private static LocalRedis connect(
            RedisSettings settings, Install install, String from, boolean ours, BooleanSupplier goesOn)
            throws NoRedis, InterruptedException {
        var link = RedisLink.open(() -> settings, CommandObserver.NONE);
        long deadline = Script.in(PATIENCE);
        boolean connected = link.awaitConnected(LOOK);
        while (!connected && goesOn.getAsBoolean() && System.nanoTime() < deadline) {
            connected = link.awaitConnected(LOOK);
        }
        if (!connected) {
            var trouble = link.trouble();
            link.close();
            throw new NoRedis("no connection to " + settings.topology().address() + ": " + trouble);
        }
        var version = VERSION.matcher(link.info("server"));
        var name = version.find() ? name(version) : "a server";
        int port = settings.topology().servers().getFirst().port();
        return new LocalRedis(settings, link, install, name + " (" + from + "), port " + port, ours);
    }

    private static String name(Matcher version) {
        return version.group(1) + " " + version.group(2);
    }

    private static String lastLine(Path log) throws IOException {
        var lines = Files.readAllLines(log);
        return lines.isEmpty() ? "redis-server ended at once" : lines.getLast();
    }

    RedisLink link() {
        return link;
    }

    RedisSettings settings() {
        return settings;
    }

    Install install() {
        return install;
    }

    @Override
    public String toString() {
        return description;
    }

    /// Takes our keys away from a Redis that is not ours, and leaves.
    @Override
    public void close() {
        try {
            if (!ours && link.isConnected()) {
                removeKeys("soloist:" + install.name() + ":*");
            }
        } finally {
            link.close();
        }
    }

    private void removeKeys(String pattern) {
        var cursor = "0";
        do {
            var reply = link.call("SCAN", cursor, "MATCH", pattern, "COUNT", "500");
            cursor = text(reply.get(0));
            var keys = new ArrayList<String>();
            for (var key : (List<?>) reply.get(1)) {
                keys.add(text(key));
            }
            if (!keys.isEmpty()) {
                link.call("UNLINK", keys.toArray(String[]::new));
            }
        } while (!cursor.equals("0"));
    }

    private static String text(Object element) {
        return element instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(element);
    }
}
