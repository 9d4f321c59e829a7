package dev.soloist.sidecar.trigger;

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
        String method, int port, String target, Map<String, String> headers, String contentType, byte[] body, Duration timeout) {}
