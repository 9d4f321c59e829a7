package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.coordination.event.JobEvent;
import dev.soloist.coordination.event.LoggedEvent;
import dev.soloist.coordination.singleton.RunSummary;
import dev.soloist.sidecar.json.Rfc3339;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Events as the API writes them. */
final class EventJson {

    private EventJson() {}

    static void write(String job, JobEvent event, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", event.id());
        json.writeStringField("at", Rfc3339.write(event.event().id().at()));
        switch (event.event()) {
            case LoggedEvent.RunEnded(var _, var run) -> run("runEnded", job, run, json);
            case LoggedEvent.LateResult(var _, var run) -> run("lateResult", job, run, json);
            case LoggedEvent.TaskDied died -> died(died, json);
            case LoggedEvent.Unknown _ -> json.writeStringField("type", "unknown");
        }
        json.writeEndObject();
    }

    private static void run(String type, String job, RunSummary run, JsonGenerator json) throws IOException {
        json.writeStringField("type", type);
        json.writeObjectFieldStart("run");
        if (run.generation() > 0) {
            json.writeStringField("id", job + "/" + run.generation() + "/" + run.fence());
        }
        json.writeStringField("pod", run.pod());
        json.writeStringField("fence", run.fence().toString());
        instant("scheduledAt", run.slot(), json);
        instant("start", run.start(), json);
        instant("end", run.end(), json);
        json.writeStringField("result", JobEndpoint.result(run.result()));
        text("message", run.message(), json);
        json.writeEndObject();
    }

    private static void died(LoggedEvent.TaskDied died, JsonGenerator json) throws IOException {
        json.writeStringField("type", "taskDied");
        json.writeObjectFieldStart("task");
        json.writeStringField("id", died.task().text());
        json.writeStringField("cause", died.cause().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("attempts", died.attempts());
        instant("dueAt", died.due(), json);
        text("lastError", died.error(), json);
        json.writeEndObject();
    }

    private static void instant(String name, @Nullable Instant instant, JsonGenerator json) throws IOException {
        if (instant != null) {
            json.writeStringField(name, Rfc3339.write(instant));
        }
    }

    private static void text(String name, String text, JsonGenerator json) throws IOException {
        if (!text.isBlank()) {
            json.writeStringField(name, text);
        }
    }
}
