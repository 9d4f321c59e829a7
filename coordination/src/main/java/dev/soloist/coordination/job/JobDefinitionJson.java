package dev.soloist.coordination.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.key.JobId;
import java.util.Arrays;
import java.util.Set;

/**
 * A definition as JSON: durations in milliseconds, enums by name. Unknown fields are passed over, so that a sidecar
 * understands a newer operator as long as the known ones keep their meaning. What a reader must not pass over is named
 * in {@code needs}, and the work then stands in {@code work}, where versions without {@code needs} do not find it: they
 * leave the job out, as does every later one that lacks what is named. Thread-safe.
 */
public final class JobDefinitionJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private JobDefinitionJson() {}

    /** Writes a definition. */
    public static String write(JobDefinition job) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("namespace", job.id().namespace())
                .put("name", job.id().name())
                .put("uid", job.uid())
                .put("generation", job.generation())
                .put("term", job.term())
                .put("suspended", job.suspended());
        json.putObject("trigger")
                .put("port", job.trigger().port())
                .put("path", job.trigger().path())
                .put("timeout", job.trigger().timeout().toMillis());
        PolicyJson.write(json.putObject("policy"), job.policy());
        if (job.eventLogLength() > 0) {
            json.put("eventLog", job.eventLogLength());
        }
        Set<Feature> needs = Feature.of(job);
        if (needs.isEmpty()) {
            WorkJson.write(json, job.work());
        } else {
            ArrayNode names = json.putArray("needs");
            needs.forEach(need -> names.add(need.name()));
            WorkJson.write(json.putObject("work"), job.work());
        }
        return json.toString();
    }

    /** Whose definition a text is, whatever else it says and whichever version wrote it; empty if it does not tell. */
    public static String uid(String text) {
        try {
            return MAPPER.readTree(text).path("uid").asText();
        } catch (JsonProcessingException noJson) {
            return "";
        }
    }

    /**
     * Reads a definition.
     *
     * @throws IllegalArgumentException if the text is no definition, or asks for something that this version lacks
     */
    public static JobDefinition read(String text) {
        try {
            return read(MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a job definition: " + e.getOriginalMessage(), e);
        }
    }

    private static JobDefinition read(JsonNode json) {
        json.path("needs").forEach(need -> known(need.asText()));
        JsonNode trigger = json.path("trigger");
        return new JobDefinition(
                new JobId(JsonFields.text(json, "namespace"), JsonFields.text(json, "name")),
                JsonFields.text(json, "uid"),
                JsonFields.number(json, "generation"),
                JsonFields.number(json, "term"),
                json.path("suspended").asBoolean(),
                new Trigger(
                        (int) JsonFields.number(trigger, "port"),
                        JsonFields.text(trigger, "path"),
                        JsonFields.duration(trigger, "timeout")),
                PolicyJson.read(json.path("policy")),
                WorkJson.read(json.path("work").isObject() ? json.path("work") : json),
                json.path("eventLog").asInt());
    }

    private static void known(String need) {
        if (Arrays.stream(Feature.values()).noneMatch(feature -> feature.name().equals(need))) {
            throw new IllegalArgumentException("it needs " + need + ", which this version does not have");
        }
    }
}
