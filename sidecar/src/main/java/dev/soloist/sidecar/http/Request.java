package dev.soloist.sidecar.http;

import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One request. The body can be read once, or not at all. */
public final class Request {

    private final RequestHead head;
    private final InputStream body;

    Request(RequestHead head, InputStream body) {
        this.head = head;
        this.body = body;
    }

    /** The method as it came. */
    public String method() {
        return head.method();
    }

    /** Path and query as they came: one character for each byte, nothing decoded or normalised. */
    public String target() {
        return head.target();
    }

    /** The header's value, or null. */
    public @Nullable String header(String name) {
        return head.headers().get(name.toLowerCase(Locale.ROOT));
    }

    /** The body, not read yet; ends where the request ends. */
    public InputStream body() {
        return body;
    }
}
