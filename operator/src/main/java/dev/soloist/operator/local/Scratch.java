package dev.soloist.operator.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A folder that is gone afterwards.
record Scratch(Path path) implements AutoCloseable {

    static Scratch create() throws IOException {
        return new Scratch(Files.createTempDirectory("soloist-demo"));
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
