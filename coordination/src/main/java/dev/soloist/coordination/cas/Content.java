package dev.soloist.coordination.cas;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one string holds.
 *
 * @param version how often it was written
 * @param write a random name of its last write, so that no two writes ever leave the same bytes
 * @param keys by their names without prefix and hash tag
 */
record Content(long version, String write, Map<String, Stored> keys) {

    /** What a string that is not there holds. */
    static Content none() {
        return new Content(0, "", new LinkedHashMap<>());
    }

    /** The content after a further write. */
    Content next(String writeName, Map<String, Stored> after) {
        return new Content(version + 1, writeName, after);
    }
}
