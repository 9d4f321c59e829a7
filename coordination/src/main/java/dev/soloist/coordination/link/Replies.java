package dev.soloist.coordination.link;

import java.nio.charset.StandardCharsets;

/** Reads elements of replies. Pure. */
final class Replies {

    private Replies() {}

    static long number(Object element) {
        return element instanceof Long number ? number : Long.parseLong(text(element));
    }

    static String text(Object element) {
        return element instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(element);
    }
}
