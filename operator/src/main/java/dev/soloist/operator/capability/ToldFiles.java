package dev.soloist.operator.capability;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.operator.store.SidecarFiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// What sidecars are told of the store, with the mode that the data are made in: one that finds another mode refuses to
/// work, also while no operator is there. The operator's files are read once for each answer, so that a Secret that
/// changes meanwhile never leaves an address of before beside a certificate or a user of after. Thread-safe if its
/// sources are.
public final class ToldFiles implements Supplier<Map<String, String>> {

    private static final List<StoreFile> CREDENTIALS = List.of(StoreFile.USERNAME, StoreFile.PASSWORD);

    private final Supplier<Map<StoreFile, String>> own;
    private final Supplier<StoreMode> mode;

    /// A server of mode Cas has no users of namespaces, at least not by rules that are tested: there
    /// sidecars share the operator's user, and nothing but names keeps namespaces apart.
    ///
    /// @param own the operator's own files, all of one moment; those of before while there are none
    /// @param mode how the store is used now
    public ToldFiles(Supplier<Map<StoreFile, String>> own, Supplier<StoreMode> mode) {
        this.own = own;
        this.mode = mode;
    }

    @Override
    public Map<String, String> get() {
        var files = own.get();
        var told = new TreeMap<>(SidecarFiles.of(files));
        mode.get().data().ifPresent(data -> {
            told.put(StoreFile.MODE.fileName(), data.word());
            if (data == DataMode.CAS) {
                files.forEach((file, text) -> {
                    if (CREDENTIALS.contains(file)) {
                        told.put(file.fileName(), text);
                    }
                });
            }
        });
        return told;
    }
}
