package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.soloist.coordination.delayed.Payload;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The three members by which a body names a payload: {@code payload}, or {@code payloadBase64} with {@code contentType}. */
final class PayloadText {

    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}(?:; ?[\\x20-\\x7e]{1,100})?");

    private PayloadText() {}

    /** The value that the parser stands on, as it was written; the parser is left on its last token. */
    static byte[] slice(byte[] text, JsonParser parser) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        return Arrays.copyOfRange(text, from, (int) parser.currentLocation().getByteOffset());
    }

    /** The payload that the members name, empty if they name none, and no longer than it may be. */
    static Payload read(byte @Nullable [] json, @Nullable String base64, @Nullable String contentType, int longest)
            throws Refusal {
        if (json != null && base64 != null) {
            throw new Refusal(ProblemKind.INVALID_TASK, "Give payload or payloadBase64, not both.");
        }
        if (base64 == null && contentType != null) {
            throw new Refusal(
                    ProblemKind.INVALID_TASK,
                    "contentType goes with payloadBase64; payload is always " + TaskInput.JSON + ".");
        }
        if (base64 == null) {
            return Payload.of(json == null ? new byte[0] : bounded(json, longest), TaskInput.JSON);
        }
        var bytes = bounded(decoded(base64), longest);
        var type = mediaType(contentType);
        if (type.equals(TaskInput.JSON) && bytes.length > 0) {
            requireJson(bytes);
        }
        return Payload.of(bytes, type);
    }

    private static byte[] decoded(String base64) throws Refusal {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            throw new Refusal(ProblemKind.INVALID_TASK, "payloadBase64 is not base64 (RFC 4648, with padding).");
        }
    }

    private static String mediaType(@Nullable String contentType) throws Refusal {
        if (contentType == null) {
            return "application/octet-stream";
        }
        if (!MEDIA_TYPE.matcher(contentType).matches()) {
            throw new Refusal(ProblemKind.INVALID_TASK, "contentType must be a media type such as \"image/png\".");
        }
        return contentType;
    }

    /** What is called JSON is written into answers as it is, so it has to be one JSON value. */
    private static void requireJson(byte[] payload) throws Refusal {
        boolean hasByteOrderMark = payload.length > 0 && payload[0] == (byte) 0xEF;
        try {
            if (!hasByteOrderMark) {
                var _ = Documents.read(payload, JsonParser::skipChildren);
                return;
            }
        } catch (Refusal notJson) {
            // said below, for this payload is only a part of the body
        }
        throw new Refusal(
                ProblemKind.INVALID_TASK,
                "payloadBase64 with contentType " + TaskInput.JSON + " must hold one JSON value.");
    }

    private static byte[] bounded(byte[] payload, int longest) throws Refusal {
        if (payload.length > longest) {
            throw new Refusal(
                    ProblemKind.PAYLOAD_TOO_LARGE,
                    "A payload of this job has at most " + longest + " bytes; this one has " + payload.length + ".");
        }
        return payload;
    }
}
