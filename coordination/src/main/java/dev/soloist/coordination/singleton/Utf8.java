package dev.soloist.coordination.singleton;

import java.nio.charset.StandardCharsets;

/** Text that must fit into so many bytes. */
final class Utf8 {
    private Utf8() {}

    /** The longest beginning that takes at most {@code max} bytes and ends with a whole character. */
    static String cut(String text, int max) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= max) {
            return text;
        }
        int end = max;
        while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
