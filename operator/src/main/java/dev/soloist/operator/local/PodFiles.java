package dev.soloist.operator.local;

import dev.soloist.coordination.contract.StoreFile;
import dev.soloist.coordination.link.RedisSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The files of one pod, where a cluster has a memory volume and a Secret.
record PodFiles(Path folder) {

    static PodFiles create(Path folder, RedisSettings redis) throws IOException {
        var files = new PodFiles(folder);
        Files.createDirectories(files.store());
        var credentials = redis.credentials();
        files.write(StoreFile.ADDRESS, redis.topology().address());
        files.write(StoreFile.USERNAME, credentials.username());
        files.write(StoreFile.PASSWORD, credentials.password());
        return files;
    }

    private void write(StoreFile file, @Nullable String text) throws IOException {
        Files.writeString(store().resolve(file.fileName()), text == null ? "" : text);
    }

    Path store() {
        return folder.resolve("store");
    }

    Path token() {
        return folder.resolve("token");
    }

    Path log(String container) {
        return folder.resolve(container + ".log");
    }
}
