package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.TaskId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads one task object member by member. A payload is cut out of the text, so numbers and spacing reach the app as they were written. */
final class TaskReader {

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
            case "payload" -> payload = PayloadText.slice(text, parser);
            default ->
                throw Members.unknown(
                        name, "id, payload, payloadBase64, contentType, delay, runAt, priority, dedupKey");
        }
    }

    private TaskInput task() throws Refusal {
        var due = Due.of(delay, runAt);
        var level = level(priority);
        var taskId = id == null ? null : Ids.fromText(id);
        var sameAs = dedupKey == null ? null : key(dedupKey);
        return new TaskInput(
                taskId, PayloadText.read(payload, payloadBase64, contentType, maxPayload), due, level, sameAs);
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
}
