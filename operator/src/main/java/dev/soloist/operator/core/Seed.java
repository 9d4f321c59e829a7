package dev.soloist.operator.core;

import org.jspecify.annotations.Nullable;

/// Reads and writes the text of [Memory#seeded()]: the mark, behind an @ the identity of the server's data set, and a
/// question mark while the term was raised for that server but nothing was done there yet.
record Seed(String mark, String server, boolean settled) {

    static @Nullable Seed read(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        var settled = !text.endsWith("?");
        var known = settled ? text : text.substring(0, text.length() - 1);
        var at = known.indexOf('@');
        return at < 0
                ? new Seed(known, "", settled)
                : new Seed(known.substring(0, at), known.substring(at + 1), settled);
    }

    String text() {
        return mark + "@" + server + (settled ? "" : "?");
    }
}
