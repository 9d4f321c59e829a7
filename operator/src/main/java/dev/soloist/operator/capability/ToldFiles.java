package dev.soloist.operator.capability;

import dev.soloist.coordination.capability.DataMode;
import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.contract.StoreFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// What sidecars are told of the store, with the mode that the data are made in: one that finds another mode refuses to
/// work, also while no operator is there.
public final class ToldFiles implements Supplier<Map<String, String>> {

    private static final List<StoreFile> CREDENTIALS = List.of(StoreFile.USERNAME, StoreFile.PASSWORD);

    private final Supplier<Map<String, String>> files;
    private final Function<StoreFile, Optional<String>> own;
    private final StoreGate gate;

    /// A server of mode Cas has no users of namespaces, at least not by rules that are tested: there
    /// sidecars share the operator's user, and nothing but names keeps namespaces apart.
    ///
    /// @param files how to reach the store
    /// @param own the operator's own files
    public ToldFiles(Supplier<Map<String, String>> files, Function<StoreFile, Optional<String>> own, StoreGate gate) {
        this.files = files;
        this.own = own;
        this.gate = gate;
    }

    @Override
    public Map<String, String> get() {
        var told = new TreeMap<>(files.get());
        gate.mode().data().ifPresent(mode -> {
            told.put(StoreFile.MODE.fileName(), mode.word());
            if (mode == DataMode.CAS) {
                CREDENTIALS.forEach(file -> own.apply(file).ifPresent(text -> told.put(file.fileName(), text)));
            }
        });
        return told;
    }
}
