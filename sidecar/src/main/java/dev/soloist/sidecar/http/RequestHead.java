package dev.soloist.sidecar.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Request line and headers, as they came.
 *
 * @param target one character for each byte of the wire, nothing decoded or normalised
 * @param headers by lower-case name; repeated ones are joined, those that must be unique are refused
 */
record RequestHead(String method, String target, String version, Map<String, String> headers) {

    private static final int MAX_BYTES = 16 * 1024;
    private static final int MAX_HEADERS = 100;
    private static final Set<String> ONCE = Set.of(
            "authorization",
            "content-length",
            "content-type",
            "expect",
            "host",
            "idempotency-key",
            "transfer-encoding");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** Reads a head, or null when the connection ended before its first byte. */
    static @Nullable RequestHead read(InputStream in) throws IOException {
        var lines = new Lines(in);
        var first = lines.nextOrEnd();
        if (first != null && first.isEmpty()) {
            // One empty line before a request is allowed, for clients that end a body with one too many.
            first = lines.nextOrEnd();
        }
        if (first == null) {
            return null;
        }
        var parts = first.split(" ", -1);
        if (parts.length != 3 || !TOKEN.matcher(parts[0]).matches() || parts[1].isEmpty()) {
            throw new MalformedRequest(
                    "The request line must be method, path and version, with spaces in the path as %20.");
        }
        if (!parts[2].equals("HTTP/1.1") && !parts[2].equals("HTTP/1.0")) {
            throw new MalformedRequest("Only HTTP/1.1 is spoken here.");
        }
        return new RequestHead(parts[0], parts[1], parts[2], headers(lines));
    }

    private static Map<String, String> headers(Lines lines) throws IOException {
        var headers = new HashMap<String, String>();
        for (var line = lines.next(); !line.isEmpty(); line = lines.next()) {
            int colon = line.indexOf(':');
            var name = colon < 0 ? "" : line.substring(0, colon);
            if (!TOKEN.matcher(name).matches() || headers.size() == MAX_HEADERS) {
                throw new MalformedRequest("The headers cannot be read.");
            }
            var key = name.toLowerCase(Locale.ROOT);
            var value = line.substring(colon + 1).strip();
            if (headers.containsKey(key) && ONCE.contains(key)) {
                throw new MalformedRequest("The header " + key + " is given twice.");
            }
            headers.merge(key, value, (first, second) -> first + ", " + second);
        }
        return headers;
    }

    /** Whether the client will send another request on this connection. */
    boolean keepAlive() {
        var connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        return version.equals("HTTP/1.1") && !connection.contains("close");
    }

    /** Lines of the head, which may not exceed its limit together. */
    private static final class Lines {
        private final InputStream in;
        private int read;

        Lines(InputStream in) {
            this.in = in;
        }

        String next() throws IOException {
            var line = nextOrEnd();
            if (line == null) {
                throw new EOFException("the connection ended within a request");
            }
            return line;
        }

        @Nullable
        String nextOrEnd() throws IOException {
            var line = new ByteArrayOutputStream(64);
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    if (line.size() == 0) {
                        return null;
                    }
                    throw new EOFException("the connection ended within a request");
                }
                if (++read > MAX_BYTES) {
                    throw new MalformedRequest("Request line and headers are longer than " + MAX_BYTES + " bytes.");
                }
                line.write(c);
            }
            var text = line.toString(StandardCharsets.ISO_8859_1);
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        }
    }
}
