package dev.soloist.operator.store;

import dev.soloist.coordination.contract.StoreFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/// What sidecars are told of the store beside their own user, out of the operator's own mounted files: how to reach it,
/// never the operator's credentials. Read anew at each call.
public final class SidecarFiles implements Supplier<Map<String, String>> {

    private static final List<StoreFile> AS_THEY_ARE = List.of(
            StoreFile.ADDRESS,
            StoreFile.TOPOLOGY,
            StoreFile.SENTINEL_NAME,
            StoreFile.SENTINEL_USERNAME,
            StoreFile.SENTINEL_PASSWORD,
            StoreFile.TLS,
            StoreFile.CA,
            StoreFile.VERIFICATION,
            StoreFile.ALLOW_UNVERIFIED);

    private final Path directory;

    public SidecarFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public Map<String, String> get() {
        var told = new TreeMap<String, String>();
        AS_THEY_ARE.forEach(file -> read(file).ifPresent(text -> told.put(file.fileName(), text)));
        // Both or none: a certificate is of no use with another's key.
        var own = read(StoreFile.SIDECAR_CERTIFICATE).isPresent()
                && read(StoreFile.SIDECAR_KEY).isPresent();
        read(own ? StoreFile.SIDECAR_CERTIFICATE : StoreFile.CERTIFICATE)
                .ifPresent(text -> told.put(StoreFile.CERTIFICATE.fileName(), text));
        read(own ? StoreFile.SIDECAR_KEY : StoreFile.KEY).ifPresent(text -> told.put(StoreFile.KEY.fileName(), text));
        return told;
    }

    private Optional<String> read(StoreFile file) {
        try {
            return Optional.of(
                            Files.readString(directory.resolve(file.fileName())).strip())
                    .filter(text -> !text.isEmpty());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
