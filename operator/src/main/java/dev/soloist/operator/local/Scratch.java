package dev.soloist.operator.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A folder that is gone afterwards.
record Scratch(Path path) implements AutoCloseable {

    /// @param parent where to make it; empty for the system's place for such
    static Scratch create(String parent) throws IOException {
        var name = "soloist-demo";
        return new Scratch(
                parent.isEmpty() ? Files.createTempDirectory(name) : Files.createTempDirectory(Path.of(parent), name));
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
