package dev.soloist.sidecar.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One response, whole in memory. Immutable as long as nobody changes the bytes. */
public final class Response {

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    /** A response; Content-Length and Connection are added when it is sent. */
    public Response(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body;
    }

    /** The status code. */
    public int status() {
        return status;
    }

    byte[] body() {
        return body;
    }

    byte[] head(boolean keepAlive) {
        var head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(reason())
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (status != 204) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append(keepAlive ? "\r\n" : "Connection: close\r\n\r\n");
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private String reason() {
        return switch (status) {
            case 200 -> "OK";
            case 202 -> "Accepted";
            case 204 -> "No Content";
            case 207 -> "Multi-Status";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 415 -> "Unsupported Media Type";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            case 507 -> "Insufficient Storage";
            default -> "Status";
        };
    }
}
