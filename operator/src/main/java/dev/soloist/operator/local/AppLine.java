package dev.soloist.operator.local;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A line that the sample app prints when it starts or ends a piece of work.
///
/// @param task the task's id; null for a run of a singleton
/// @param clock the app's, which is this machine's
@JsonIgnoreProperties(ignoreUnknown = true)
record AppLine(
        String event,
        String job,
        @Nullable String run,
        @Nullable String task,
        @Nullable String fence,
        @Nullable String attempt,
        @Nullable String scheduledAt,
        @Nullable String outcome,
        String clock) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /// The line, unless it is some other output of the app.
    static Optional<AppLine> parse(String text) {
        try {
            var line = MAPPER.readValue(text, AppLine.class);
            boolean whole = line.event != null && line.job != null && line.clock != null && line.id() != null;
            return whole ? Optional.of(line) : Optional.empty();
        } catch (JsonProcessingException otherOutput) {
            return Optional.empty();
        }
    }

    boolean isStart() {
        return event.equals("start");
    }

    boolean isTask() {
        return task != null;
    }

    /// Of the task or the run.
    String id() {
        return task != null ? task : String.valueOf(run);
    }

    Instant at() {
        return Instant.parse(clock);
    }
}
