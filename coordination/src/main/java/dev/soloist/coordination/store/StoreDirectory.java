package dev.soloist.coordination.store;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.NoSettings;
import dev.soloist.coordination.link.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The directory where a store's Secret is mounted. Read anew at every call, because the kubelet may put the files there,
 * or change them, at any time; it changes all of them at one stroke, and they are read as one. Never fails: what is
 * missing or wrong is told as a sentence. Thread-safe.
 */
public final class StoreDirectory implements Supplier<StoreSettings> {

    /** A link that the kubelet turns to another folder to change all files at once. */
    private static final String CURRENT = "..data";

    private static final int TRIES = 3;

    private final Path directory;
    private final String clientName;
    private volatile @Nullable Reading last;
    private volatile Map<StoreFile, String> lastWhole = Map.of();

    /** Certificates are costly to check, and the files are read often and change seldom. */
    private record Reading(Map<StoreFile, String> files, StoreSettings settings) {}

    /** @param clientName shown by {@code CLIENT LIST} */
    public StoreDirectory(Path directory, String clientName) {
        this.directory = directory;
        this.clientName = clientName;
    }

    /** How to reach the store, or why that cannot be known now. */
    @Override
    public StoreSettings get() {
        try {
            var files = files();
            var known = last;
            if (known == null || !known.files.equals(files)) {
                known = new Reading(files, new StoreText(files).settings(clientName));
                last = known;
            }
            return known.settings;
        } catch (UncheckedIOException unreadable) {
            return new NoSettings("the files of the store cannot be read: " + unreadable.getMessage());
        }
    }

    /**
     * One file's content without the white space around it; empty if it is absent or empty. While there is no address, or
     * the files cannot be read, it is what they said when there last was one: a Secret that is deleted and made again takes
     * nothing back meanwhile, as it does not make anybody leave the store.
     */
    public Optional<String> text(StoreFile file) {
        return Optional.ofNullable(lastWhole().get(file));
    }

    /** As {@link #text}, of all files, read as one. */
    public Map<StoreFile, String> lastWhole() {
        Map<StoreFile, String> files;
        try {
            files = files();
        } catch (UncheckedIOException unreadable) {
            files = Map.of();
        }
        boolean away = !files.containsKey(StoreFile.ADDRESS) && !lastWhole.isEmpty();
        return away ? lastWhole : files;
    }

    /**
     * Every file that is there and not empty, without the white space around its content.
     *
     * @throws UncheckedIOException if one is there and cannot be read
     */
    public Map<StoreFile, String> files() {
        try {
            for (int tried = 0; tried < TRIES; tried++) {
                var folder = folder();
                var texts = read(folder);
                // Of a folder that is turned away from, and removed file by file, some were missed perhaps.
                if (folder.equals(folder())) {
                    if (texts.containsKey(StoreFile.ADDRESS)) {
                        lastWhole = texts;
                    }
                    return texts;
                }
            }
            throw new NoSuchFileException(directory.toString());
        } catch (NoSuchFileException swapped) {
            throw new UncheckedIOException("they are being changed right now", swapped);
        } catch (IOException e) {
            throw new UncheckedIOException(e.toString(), e);
        }
    }

    private Path folder() throws IOException {
        var current = directory.resolve(CURRENT);
        return Files.exists(current) ? current.toRealPath() : directory;
    }

    private static Map<StoreFile, String> read(Path folder) throws IOException {
        var texts = new EnumMap<StoreFile, String>(StoreFile.class);
        for (var file : StoreFile.values()) {
            var path = folder.resolve(file.fileName());
            if (Files.exists(path)) {
                var text = Files.readString(path).strip();
                if (!text.isEmpty()) {
                    texts.put(file, text);
                }
            }
        }
        return texts;
    }
}
