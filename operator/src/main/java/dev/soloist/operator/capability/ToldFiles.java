package dev.soloist.operator.capability;

import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.contract.StoreFile;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// What sidecars are told of the store, with the mode that the data are made in: one that finds another mode refuses to
/// work, also while no operator is there.
public final class ToldFiles implements Supplier<Map<String, String>> {

    private final Supplier<Map<String, String>> files;
    private final StoreGate gate;

    public ToldFiles(Supplier<Map<String, String>> files, StoreGate gate) {
        this.files = files;
        this.gate = gate;
    }

    @Override
    public Map<String, String> get() {
        var told = new TreeMap<>(files.get());
        gate.mode().data().ifPresent(mode -> told.put(StoreFile.MODE.fileName(), mode.word()));
        return told;
    }
}
