package dev.soloist.operator.store;

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

    private static final List<String> AS_THEY_ARE = List.of(
            "address",
            "topology",
            "sentinelName",
            "sentinelUsername",
            "sentinelPassword",
            "tls",
            "ca.crt",
            "tlsVerify",
            "tlsAllowUnverified");

    private final Path directory;

    public SidecarFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public Map<String, String> get() {
        var told = new TreeMap<String, String>();
        AS_THEY_ARE.forEach(file -> read(file).ifPresent(text -> told.put(file, text)));
        // Both or none: a certificate is of no use with another's key.
        var own = read("sidecarTls.crt").isPresent() && read("sidecarTls.key").isPresent();
        read(own ? "sidecarTls.crt" : "tls.crt").ifPresent(text -> told.put("tls.crt", text));
        read(own ? "sidecarTls.key" : "tls.key").ifPresent(text -> told.put("tls.key", text));
        return told;
    }

    private Optional<String> read(String file) {
        try {
            return Optional.of(Files.readString(directory.resolve(file)).strip())
                    .filter(text -> !text.isEmpty());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
