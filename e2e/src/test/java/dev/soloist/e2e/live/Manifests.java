package dev.soloist.e2e.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Files beside this package's classes. */
final class Manifests {

    private Manifests() {}

    static String read(String name) {
        try (var text = Objects.requireNonNull(Manifests.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
