package dev.soloist.sidecar.trigger;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Reads one HTTP/1.x response to its end, keeping only what messages need. */
final class ResponseReader {

    private static final int MAX_LINE = 8192;
    private static final int MAX_HEADERS = 200;
    private static final int KEPT_TEXT = 256;

    private final InputStream in;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(KEPT_TEXT);

    private ResponseReader(InputStream in) {
        this.in = in;
    }

    static AppResponse read(InputStream in) throws IOException {
        return new ResponseReader(in).read();
    }

    private AppResponse read() throws IOException {
        int status;
        Map<String, String> headers;
        do {
            status = status(line());
            headers = headers();
        } while (status >= 100 && status < 200);
        body(status, headers);
        return new AppResponse.Answered(status, headers, kept.toString(StandardCharsets.UTF_8));
    }

    private static int status(String line) throws IOException {
        if (line.length() >= 12 && line.startsWith("HTTP/1.") && line.charAt(8) == ' ') {
            try {
                return Integer.parseInt(line.substring(9, 12));
            } catch (NumberFormatException notAStatus) {
                // said below
            }
        }
        throw new IOException("the app did not answer with HTTP/1.1");
    }

    private Map<String, String> headers() throws IOException {
        var headers = new HashMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || headers.size() >= MAX_HEADERS) {
                throw new IOException("the app's headers cannot be read");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private void body(int status, Map<String, String> headers) throws IOException {
        if (status == 204 || status == 304) {
            return;
        }
        if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .endsWith("chunked")) {
            for (long size = chunkSize(); size > 0; size = chunkSize()) {
                skip(size);
                line();
            }
            headers();
        } else if (headers.containsKey("content-length")) {
            skip(length(headers.get("content-length")));
        } else {
            keepUntilEnd();
        }
    }

    private long chunkSize() throws IOException {
        var line = line();
        int end = line.indexOf(';');
        try {
            return Long.parseLong((end < 0 ? line : line.substring(0, end)).strip(), 16);
        } catch (NumberFormatException notASize) {
            throw new IOException("the app's chunked body cannot be read", notASize);
        }
    }

    private static long length(String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notALength) {
            throw new IOException("the app's Content-Length cannot be read", notALength);
        }
    }

    private void skip(long length) throws IOException {
        var buffer = new byte[4096];
        for (long left = length; left > 0; ) {
            int n = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (n < 0) {
                throw new EOFException("the app closed the connection in mid-answer");
            }
            keep(buffer, n);
            left -= n;
        }
    }

    private void keepUntilEnd() throws IOException {
        var buffer = new byte[4096];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            keep(buffer, n);
        }
    }

    private void keep(byte[] buffer, int n) {
        kept.write(buffer, 0, Math.min(n, KEPT_TEXT - kept.size()));
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream(80);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the app closed the connection without an answer");
            }
            if (line.size() >= MAX_LINE) {
                throw new IOException("the app's answer has a line without end");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
