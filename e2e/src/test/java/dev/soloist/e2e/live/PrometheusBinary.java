package dev.soloist.e2e.live;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Where the programs of Prometheus are: the server named by PROMETHEUS, and what lies beside it; else on the PATH. */
final class PrometheusBinary {

    private PrometheusBinary() {}

    static Path server() {
        var named = System.getenv("PROMETHEUS");
        return named != null && !named.isBlank() ? present(Stream.of(Path.of(named))) : present(onPath("prometheus"));
    }

    static Path promtool() {
        return present(Stream.concat(Stream.of(server().resolveSibling("promtool")), onPath("promtool")));
    }

    private static Stream<Path> onPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(folder -> Path.of(folder, program));
    }

    private static Path present(Stream<Path> candidates) {
        return candidates
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("This test needs Prometheus with its promtool: install it"
                        + " (Debian: package prometheus) or name the server's binary in the variable PROMETHEUS"));
    }
}
