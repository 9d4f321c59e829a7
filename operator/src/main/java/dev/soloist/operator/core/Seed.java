package dev.soloist.operator.core;

import org.jspecify.annotations.Nullable;

/// Reads and writes the text of [Memory#seeded()]: the mark, and the identity of the server's data set behind an @.
record Seed(String mark, String server) {

    static @Nullable Seed read(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        var at = text.indexOf('@');
        return at < 0 ? new Seed(text, "") : new Seed(text.substring(0, at), text.substring(at + 1));
    }

    String text() {
        return mark + "@" + server;
    }
}
