package dev.soloist.coordination.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.loop.Backoff;
import java.time.Duration;

/** Fields that a definition cannot do without. */
final class JsonFields {

    private JsonFields() {}

    static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("a job definition needs the text '" + field + "'");
        }
        return value.asText();
    }

    static long number(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (!value.isIntegralNumber()) {
            throw new IllegalArgumentException("a job definition needs the integer '" + field + "'");
        }
        return value.asLong();
    }

    static Duration duration(JsonNode json, String field) {
        return Duration.ofMillis(number(json, field));
    }

    static void write(ObjectNode node, Backoff backoff) {
        node.put("initial", backoff.initial().toMillis())
                .put("factor", backoff.factor())
                .put("max", backoff.max().toMillis());
    }

    static Backoff backoff(JsonNode json) {
        return new Backoff(duration(json, "initial"), json.path("factor").asDouble(), duration(json, "max"));
    }
}
