package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Payload;
import dev.soloist.coordination.delayed.Priority;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.coordination.delayed.TaskView;
import dev.soloist.sidecar.json.Rfc3339;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Tasks as the API writes them. */
final class TaskJson {

    private TaskJson() {}

    static void writeAccepted(TaskId id, Enqueue.Accepted accepted, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", id.text());
        json.writeStringField("dueAt", Rfc3339.write(accepted.dueAt()));
        json.writeStringField("outcome", accepted.outcome().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }

    static void writeDead(DeadTask letter, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", letter.id().text());
        json.writeStringField("diedAt", Rfc3339.write(letter.diedAt()));
        json.writeStringField("dueAt", Rfc3339.write(letter.dueAt()));
        json.writeNumberField("attempts", letter.attempts());
        if (!letter.lastError().isEmpty()) {
            json.writeStringField("lastError", letter.lastError());
        }
        json.writeEndObject();
    }

    static void writeView(TaskView task, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", task.id().text());
        json.writeStringField("state", state(task.state()));
        json.writeStringField("dueAt", Rfc3339.write(task.dueAt()));
        json.writeNumberField("attempts", task.attempts());
        if (!task.lastError().isEmpty()) {
            json.writeStringField("lastError", task.lastError());
        }
        if (task.cancelRequested()) {
            json.writeBooleanField("cancelRequested", true);
        }
        if (task.priority() != Priority.NORMAL) {
            json.writeStringField("priority", task.priority().name().toLowerCase(Locale.ROOT));
        }
        var diedAt = task.diedAt();
        if (diedAt != null) {
            json.writeStringField("diedAt", Rfc3339.write(diedAt));
        }
        var payload = task.payload();
        if (payload != null && payload.bytes().length > 0) {
            write(payload, json);
        }
        json.writeEndObject();
    }

    private static void write(Payload payload, JsonGenerator json) throws IOException {
        if (payload.contentType().equals(TaskInput.JSON)) {
            // Proven to be one JSON value when it was accepted.
            json.writeFieldName("payload");
            json.writeRawValue(new String(payload.bytes(), StandardCharsets.UTF_8));
        } else {
            json.writeStringField("contentType", payload.contentType());
            json.writeBinaryField("payloadBase64", payload.bytes());
        }
    }

    private static String state(TaskState state) {
        return state == TaskState.IN_FLIGHT ? "inFlight" : state.name().toLowerCase(Locale.ROOT);
    }
}
