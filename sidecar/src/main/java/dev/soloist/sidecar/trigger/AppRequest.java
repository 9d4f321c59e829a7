package dev.soloist.sidecar.trigger;

import dev.soloist.coordination.delayed.Payload;
import java.time.Duration;
import java.util.Map;

/**
 * One call to the app on localhost.
 *
 * @param target path and query as they go on the wire
 * @param headers besides Host, Content-Length, Content-Type and Connection
 * @param timeout from connecting to the end of the response
 */
public record AppRequest(
        String method, int port, String target, Map<String, String> headers, Payload body, Duration timeout) {

    /** A body for calls without one. */
    public static final Payload NO_BODY = Payload.of(new byte[0], "");
}
