package dev.soloist.sidecar.store;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.Credentials;
import dev.soloist.coordination.link.RedisSettings;
import dev.soloist.sidecar.settings.SidecarSettings;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the mounted Secret says now. Read anew at every call: the kubelet may put the files there, or change them, at any time. */
final class StoreFiles {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreFiles.class);

    private final SidecarSettings settings;

    StoreFiles(SidecarSettings settings) {
        this.settings = settings;
    }

    /** The settings, or null while there is no address or none that can be read. */
    @Nullable
    RedisSettings read() {
        var address = text(StoreFile.ADDRESS);
        if (address == null) {
            return null;
        }
        try {
            var credentials = new Credentials(text(StoreFile.USERNAME), text(StoreFile.PASSWORD));
            return RedisSettings.of(address, credentials, "soloist-sidecar");
        } catch (IllegalArgumentException unreadable) {
            LOGGER.warn(
                    "the store's address cannot be read; no jobs until it is corrected: {}", unreadable.getMessage());
            return null;
        }
    }

    private @Nullable String text(StoreFile file) {
        try {
            var text = Files.readString(settings.storeFile(file)).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException absent) {
            return null;
        }
    }
}
