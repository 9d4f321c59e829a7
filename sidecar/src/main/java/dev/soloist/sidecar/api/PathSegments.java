package dev.soloist.sidecar.api;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** The raw path cut at its slashes, each piece decoded to bytes by itself: an encoded slash or dot is part of an id, never of the path. */
final class PathSegments {

    private PathSegments() {}

    static List<byte[]> of(String rawPath) throws Refusal {
        if (!rawPath.startsWith("/")) {
            throw new Refusal(ProblemKind.UNKNOWN_PATH, "The path must begin with a slash.");
        }
        var segments = new ArrayList<byte[]>();
        for (var piece : rawPath.substring(1).split("/", -1)) {
            segments.add(decode(piece));
        }
        return segments;
    }

    /** The bytes of one piece, its percent signs resolved. */
    static byte[] decode(String piece) throws Refusal {
        var bytes = new ByteArrayOutputStream(piece.length());
        for (int i = 0; i < piece.length(); i++) {
            char c = piece.charAt(i);
            if (c != '%') {
                bytes.write(c);
                continue;
            }
            int high = digit(piece, i + 1);
            int low = digit(piece, i + 2);
            if (high < 0 || low < 0) {
                throw new Refusal(
                        ProblemKind.INVALID_REQUEST, "A percent sign must be followed by two hexadecimal digits.");
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        return bytes.toByteArray();
    }

    private static int digit(String piece, int index) {
        return index < piece.length() ? Character.digit(piece.charAt(index), 16) : -1;
    }
}
