package dev.soloist.sidecar.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** The body of one request, no byte further. For one thread. */
final class BodyInput extends InputStream {

    private final InputStream in;
    private final boolean chunked;
    private long left;
    private boolean ended;
    private boolean begun;

    private BodyInput(InputStream in, boolean chunked, long left) {
        this.in = in;
        this.chunked = chunked;
        this.left = left;
        this.ended = !chunked && left == 0;
    }

    static BodyInput of(RequestHead head, InputStream in) throws MalformedRequest {
        var encoding = head.headers().get("transfer-encoding");
        var length = head.headers().get("content-length");
        if (encoding != null) {
            if (length != null || !encoding.toLowerCase(Locale.ROOT).equals("chunked")) {
                throw new MalformedRequest("A body is announced by Content-Length or as chunked, not otherwise.");
            }
            return new BodyInput(in, true, 0);
        }
        if (length == null) {
            return new BodyInput(in, false, 0);
        }
        if (!length.matches("[0-9]{1,15}")) {
            throw new MalformedRequest("Content-Length is not a number.");
        }
        return new BodyInput(in, false, Long.parseLong(length));
    }

    /** Whether everything was read, so that the next request can follow. */
    boolean ended() {
        return ended;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (ended || (chunked && left == 0 && !nextChunk())) {
            ended = true;
            return -1;
        }
        int n = in.read(buffer, offset, (int) Math.min(length, left));
        if (n < 0) {
            throw new EOFException("the connection ended within a body");
        }
        left -= n;
        ended = !chunked && left == 0;
        return n;
    }

    private boolean nextChunk() throws IOException {
        if (begun && !line().isEmpty()) {
            throw new MalformedRequest("A chunk is longer than it says.");
        }
        begun = true;
        var size = line();
        int semicolon = size.indexOf(';');
        var digits = (semicolon < 0 ? size : size.substring(0, semicolon)).strip();
        if (!digits.matches("[0-9a-fA-F]{1,8}")) {
            throw new MalformedRequest("The size of a chunk is not a hexadecimal number.");
        }
        left = Long.parseLong(digits, 16);
        if (left == 0) {
            while (!line().isEmpty()) {
                // trailers are of no interest
            }
        }
        return left > 0;
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended within a body");
            }
            if (line.length() == 1024) {
                throw new MalformedRequest("A line between two chunks is too long.");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
