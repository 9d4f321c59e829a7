package dev.soloist.operator.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a performance is made of.
///
/// @param manifests folders of YAML files
/// @param app source of the sample app
/// @param sidecar folder with the sidecar's jar, and its libraries in `lib`
/// @param redisUrl a Redis that runs already; empty for one of our own
/// @param failoverWithin the longest time from the death of a holder to the next run that counts as kept
/// @param scratch where to make the folder for everything; empty for the system's place for such
record DemoSettings(
        List<Path> manifests, Path app, Path sidecar, String redisUrl, Duration failoverWithin, String scratch) {

    /// @throws IOException if there is none; the message says what to do
    Path sidecarJar() throws IOException {
        if (Files.isDirectory(sidecar)) {
            try (var files = Files.newDirectoryStream(sidecar, "sidecar-*.jar")) {
                for (var file : files) {
                    if (!file.toString().contains("-tests") && !file.toString().contains("-sources")) {
                        return file.toAbsolutePath();
                    }
                }
            }
        }
        throw new IOException("there is no sidecar-*.jar in " + sidecar + ": run make build");
    }
}
