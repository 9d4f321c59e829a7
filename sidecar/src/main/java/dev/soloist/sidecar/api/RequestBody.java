package dev.soloist.sidecar.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads a body up to a limit. What is beyond it is thrown away piece by piece, so that the caller can read the answer. */
final class RequestBody {

    /** Room for a payload of a mebibyte in base64 with what stands around it, or for an array of small tasks. */
    static final int MAX_BYTES = 1536 * 1024;

    /** A caller that sends more than this after its limit is cut off. */
    private static final long MAX_DISCARDED = 64L * 1024 * 1024;

    private RequestBody() {}

    static byte[] read(InputStream in) throws IOException, Refusal {
        var kept = new ByteArrayOutputStream(1024);
        var buffer = new byte[8192];
        long seen = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            seen += n;
            if (seen <= MAX_BYTES) {
                kept.write(buffer, 0, n);
            } else {
                kept.reset();
                if (seen > MAX_DISCARDED) {
                    break;
                }
            }
        }
        if (seen > MAX_BYTES) {
            throw new Refusal(ProblemKind.BODY_TOO_LARGE, "A body has at most " + MAX_BYTES + " bytes.");
        }
        return kept.toByteArray();
    }
}
