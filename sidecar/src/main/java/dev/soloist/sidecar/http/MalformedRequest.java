package dev.soloist.sidecar.http;

import java.io.IOException;

/** What came is no HTTP/1.1 request; the message is a sentence for the caller. The connection cannot be used further. */
public final class MalformedRequest extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedRequest(String message) {
        super(message);
    }
}
