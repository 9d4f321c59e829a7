package dev.soloist.crds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes the CRD manifests into the folder given as the only argument. Run by `make generate`.
public final class GenerateCrds {

    private GenerateCrds() {}

    public static void main(String[] args) throws IOException {
        var folder = Path.of(args[0]).normalize();
        Files.createDirectories(folder);
        CrdManifests.writeTo(folder);
    }
}
