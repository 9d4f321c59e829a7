package dev.soloist.operator.core;

import dev.soloist.coordination.job.Backend;
import dev.soloist.coordination.key.Nonce;
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

    /// A new mark, which tells as well how the job's lease is kept.
    static String mark(Backend backend) {
        return prefix(backend) + Nonce.create().value();
    }

    /// Where the job was seeded.
    Backend backend() {
        return mark.startsWith(prefix(Backend.HASH)) ? Backend.HASH : Backend.STRING;
    }

    private static String prefix(Backend backend) {
        return switch (backend) {
            case STRING -> "";
            case HASH -> "hash-";
        };
    }

    String text() {
        return mark + "@" + server + (settled ? "" : "?");
    }
}
