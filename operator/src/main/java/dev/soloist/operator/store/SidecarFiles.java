package dev.soloist.operator.store;

import dev.soloist.coordination.contract.StoreFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What sidecars are told of the store beside their own user, out of the operator's own files: how to reach it, never
/// the operator's credentials. Pure.
public final class SidecarFiles {

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

    private SidecarFiles() {}

    /// The files of the namespaces' Secrets by name.
    ///
    /// @param own the operator's files, all of one moment: a mixture of two would be told as it is
    public static Map<String, String> of(Map<StoreFile, String> own) {
        var told = new TreeMap<String, String>();
        AS_THEY_ARE.forEach(file -> tell(told, file, own.get(file)));
        // Both or none: a certificate is of no use with another's key.
        var theirs = own.containsKey(StoreFile.SIDECAR_CERTIFICATE) && own.containsKey(StoreFile.SIDECAR_KEY);
        tell(told, StoreFile.CERTIFICATE, own.get(theirs ? StoreFile.SIDECAR_CERTIFICATE : StoreFile.CERTIFICATE));
        tell(told, StoreFile.KEY, own.get(theirs ? StoreFile.SIDECAR_KEY : StoreFile.KEY));
        return told;
    }

    private static void tell(Map<String, String> told, StoreFile file, @Nullable String text) {
        if (text != null) {
            told.put(file.fileName(), text);
        }
    }
}
