package dev.soloist.coordination.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/**
 * Which redis-server or valkey-server the tests run: the one named by the system property {@code soloist.redis.binary} or
 * by REDIS_SERVER in the environment (a path, or {@code embedded}); else the one on the PATH, else the embedded one.
 */
final class RedisBinary {

    private static final String PATH = find();

    private RedisBinary() {}

    static String path() {
        return PATH;
    }

    private static String find() {
        String named = System.getProperty("soloist.redis.binary", System.getenv("REDIS_SERVER"));
        if ("embedded".equals(named)) {
            return embedded();
        }
        if (named != null && !named.isBlank()) {
            return named;
        }
        Optional<File> onPath = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> new File(folder, "redis-server"))
                .filter(File::canExecute)
                .findFirst();
        if (onPath.isPresent()) {
            return onPath.get().getAbsolutePath();
        }
        return embedded();
    }

    static String embedded() {
        try {
            return ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("no redis-server on the PATH, and the embedded one cannot be unpacked", e);
        }
    }
}
