package dev.soloist.operator.store;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The store's address and the operator's own credentials, from mounted files that are read anew at each connect: a
/// rotation needs no restart.
public final class StoreFiles implements Supplier<@Nullable RedisSettings> {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreFiles.class);

    private final Path directory;
    private final String clientName;

    public StoreFiles(Path directory, String clientName) {
        this.directory = directory;
        this.clientName = clientName;
    }

    /// The address as sidecars are to use it, too.
    public Optional<String> address() {
        return read(StoreFile.ADDRESS);
    }

    @Override
    public @Nullable RedisSettings get() {
        var address = address();
        if (address.isEmpty()) {
            return null;
        }
        var credentials = new Credentials(
                read(StoreFile.USERNAME).orElse(null), read(StoreFile.PASSWORD).orElse(null));
        try {
            return RedisSettings.of(address.get(), credentials, clientName);
        } catch (IllegalArgumentException malformed) {
            LOGGER.atError().log("the store's address cannot be used: {}", malformed.getMessage());
            return null;
        }
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
