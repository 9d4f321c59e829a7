package dev.soloist.operator.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/// A redis-server that can be started here.
///
/// @param from where it was found, for people
record RedisBinary(Path path, String from) {

    /// The one on the PATH, else the one that comes along.
    ///
    /// @param folder where to unpack the latter
    /// @throws NoRedis if there is neither
    static RedisBinary find(Path folder) throws NoRedis {
        var onPath = onPath();
        if (onPath.isPresent()) {
            return new RedisBinary(onPath.get(), "the redis-server of the PATH");
        }
        try {
            var unpacked =
                    ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
            return new RedisBinary(unpacked.toPath(), "the redis-server that comes along");
        } catch (IOException | RuntimeException e) {
            throw new NoRedis(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<Path> onPath() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(file -> file.toFile().canExecute())
                .findFirst();
    }
}
