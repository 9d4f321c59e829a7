package dev.soloist.sidecar.http;

import java.io.IOException;

/** Answers requests, many at a time. */
public interface Handler {

    /** Answers a request; may throw what reading its body throws. */
    Response handle(Request request) throws IOException;

    /** Words the refusal of something that is no request. */
    Response malformed(String reason);
}
