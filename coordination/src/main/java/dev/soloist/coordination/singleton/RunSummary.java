package dev.soloist.coordination.singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a job's history.
 *
 * @param generation of the slot; 0 for a late result
 * @param pod that ran it; for a late result the instance that sent it
 * @param slot scheduled moment; absent for a late result
 * @param start by the Redis clock; absent for a late result
 * @param end by the Redis clock
 */
public record RunSummary(
        long generation,
        Fence fence,
        String pod,
        @Nullable Instant slot,
        @Nullable Instant start,
        Instant end,
        RunResult result,
        String message) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads an entry as the scripts write it into history and event log.
     *
     * @throws IllegalStateException if it is none
     */
    public static RunSummary read(String json) {
        try {
            JsonNode run = JSON.readTree(json);
            return new RunSummary(
                    run.path("gen").asLong(),
                    Fence.parse(run.path("fence").asText()),
                    run.path("pod").asText(),
                    instant(run.path("slot")),
                    instant(run.path("start")),
                    Instant.ofEpochMilli(run.path("end").asLong()),
                    RunResult.valueOf(run.path("result").asText()),
                    run.path("message").asText());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a history entry is not JSON: " + json, e);
        }
    }

    private static @Nullable Instant instant(JsonNode millis) {
        return millis.isNumber() ? Instant.ofEpochMilli(millis.asLong()) : null;
    }
}
