package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.TaskId;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one task object member by member. A payload is cut out of the text, so numbers and spacing reach the app as they were written. */
final class TaskReader {

    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}(?:; ?[\\x20-\\x7e]{1,100})?");

    private final byte[] text;
    private final int maxPayload;
    private @Nullable String id;
    private @Nullable String dedupKey;
    private @Nullable String priority;
    private @Nullable String delay;
    private @Nullable String runAt;
    private @Nullable String payloadBase64;
    private @Nullable String contentType;
    private byte @Nullable [] payload;

    private TaskReader(byte[] text, int maxPayload) {
        this.text = text;
        this.maxPayload = maxPayload;
    }

    /**
     * Reads the object whose first token the parser stands on, and leaves the parser on its last.
     *
     * @param maxPayload bytes of a payload that the job takes
     */
    static TaskInput read(byte[] text, JsonParser parser, int maxPayload) throws IOException, Refusal {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new Refusal(ProblemKind.INVALID_TASK, "A task is a JSON object.");
        }
        var reader = new TaskReader(text, maxPayload);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            reader.member(name, parser);
        }
        return reader.task();
    }

    private void member(String name, JsonParser parser) throws IOException, Refusal {
        switch (name) {
            case "id" -> id = Members.text(name, parser);
            case "dedupKey" -> dedupKey = Members.text(name, parser);
            case "priority" -> priority = Members.text(name, parser);
            case "delay" -> delay = Members.text(name, parser);
            case "runAt" -> runAt = Members.text(name, parser);
            case "payloadBase64" -> payloadBase64 = Members.text(name, parser);
            case "contentType" -> contentType = Members.text(name, parser);
            case "payload" -> payload = slice(parser);
            default ->
                throw Members.unknown(
                        name, "id, payload, payloadBase64, contentType, delay, runAt, priority, dedupKey");
        }
    }

    private byte[] slice(JsonParser parser) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        return Arrays.copyOfRange(text, from, (int) parser.currentLocation().getByteOffset());
    }

    private TaskInput task() throws Refusal {
        var due = Due.of(delay, runAt);
        var level = level(priority);
        var taskId = id == null ? null : Ids.fromText(id);
        var sameAs = dedupKey == null ? null : key(dedupKey);
        if (payload != null && payloadBase64 != null) {
            throw new Refusal(ProblemKind.INVALID_TASK, "Give payload or payloadBase64, not both.");
        }
        if (payloadBase64 == null && contentType != null) {
            throw new Refusal(
                    ProblemKind.INVALID_TASK,
                    "contentType goes with payloadBase64; payload is always " + TaskInput.JSON + ".");
        }
        if (payloadBase64 != null) {
            var bytes = bounded(decoded(payloadBase64));
            var type = mediaType(contentType);
            if (type.equals(TaskInput.JSON) && bytes.length > 0) {
                requireJson(bytes);
            }
            return new TaskInput(taskId, Payload.of(bytes, type), due, level, sameAs);
        }
        return new TaskInput(
                taskId,
                Payload.of(payload == null ? new byte[0] : bounded(payload), TaskInput.JSON),
                due,
                level,
                sameAs);
    }

    private static Priority level(@Nullable String priority) throws Refusal {
        return switch (priority) {
            case null -> Priority.NORMAL;
            case "high" -> Priority.HIGH;
            case "normal" -> Priority.NORMAL;
            case "low" -> Priority.LOW;
            default -> throw new Refusal(ProblemKind.INVALID_TASK, "priority is high, normal or low.");
        };
    }

    private static TaskId key(String text) throws Refusal {
        try {
            return Ids.fromText(text);
        } catch (Refusal _) {
            throw new Refusal(ProblemKind.INVALID_TASK, "dedupKey is a text of 1 to 256 bytes of UTF-8, as an id is.");
        }
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

    private byte[] bounded(byte[] payload) throws Refusal {
        if (payload.length > maxPayload) {
            throw new Refusal(
                    ProblemKind.PAYLOAD_TOO_LARGE,
                    "A payload of this job has at most " + maxPayload + " bytes; this one has " + payload.length + ".");
        }
        return payload;
    }
}
