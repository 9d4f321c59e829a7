package dev.soloist.coordination.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.loop.Backoff;
import dev.soloist.coordination.schedule.Schedule;
import java.time.Duration;

/**
 * A definition as JSON: durations in milliseconds, enums by name. Unknown fields are passed over, so that a sidecar
 * understands a newer operator as long as the known ones keep their meaning. Thread-safe.
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
        LeasePolicy policy = job.policy();
        ObjectNode lease = json.putObject("policy")
                .put("ttl", policy.ttl().toMillis())
                .put("heartbeat", policy.heartbeat())
                .put("heartbeatEvery", policy.heartbeatEvery().toMillis())
                .put("release", policy.release().name())
                .put("holdFor", policy.holdFor().toMillis())
                .put("watchdogEvery", policy.watchdogEvery().toMillis())
                .put("grace", policy.grace().toMillis())
                .put("maxRunTime", policy.maxRunTime().toMillis())
                .put("safety", policy.safety().name());
        if (policy.durability() instanceof Durability.Replicated(int replicas, Duration timeout)) {
            lease.putObject("replicated").put("replicas", replicas).put("timeout", timeout.toMillis());
        }
        switch (job.work()) {
            case SingletonWork work -> {
                ObjectNode node = json.putObject("singleton")
                        .put("schedule", work.schedule().text())
                        .put("misfire", work.misfire().name())
                        .put("retryLimit", work.retry().limit());
                write(node.putObject("backoff"), work.retry().backoff());
            }
            case DelayedWork work -> {
                ObjectNode node = json.putObject("delayed")
                        .put("visibilityTimeout", work.visibilityTimeout().toMillis())
                        .put("maxAttempts", work.maxAttempts())
                        .put("concurrency", work.concurrency())
                        .put("onDuplicate", work.onDuplicate().name());
                write(node.putObject("backoff"), work.backoff());
            }
        }
        return json.toString();
    }

    /**
     * Reads a definition.
     *
     * @throws IllegalArgumentException if the text is no definition
     */
    public static JobDefinition read(String text) {
        try {
            return read(MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a job definition: " + e.getOriginalMessage(), e);
        }
    }

    private static JobDefinition read(JsonNode json) {
        JsonNode trigger = json.path("trigger");
        return new JobDefinition(
                new JobId(text(json, "namespace"), text(json, "name")),
                text(json, "uid"),
                number(json, "generation"),
                number(json, "term"),
                json.path("suspended").asBoolean(),
                new Trigger((int) number(trigger, "port"), text(trigger, "path"), duration(trigger, "timeout")),
                policy(json.path("policy")),
                work(json));
    }

    private static LeasePolicy policy(JsonNode json) {
        return new LeasePolicy(
                duration(json, "ttl"),
                json.path("heartbeat").asBoolean(),
                duration(json, "heartbeatEvery"),
                ReleasePolicy.valueOf(text(json, "release")),
                duration(json, "holdFor"),
                duration(json, "watchdogEvery"),
                duration(json, "grace"),
                duration(json, "maxRunTime"),
                durability(json.path("replicated")),
                safety(json));
    }

    /** Absent: an operator of before, or nobody asked for replicas. */
    private static Durability durability(JsonNode json) {
        return json.isObject()
                ? new Durability.Replicated((int) number(json, "replicas"), duration(json, "timeout"))
                : Durability.LOCAL;
    }

    /** Absent: an operator of before, which knew nothing else. */
    private static Safety safety(JsonNode json) {
        return json.path("safety").asText().equals(Safety.LENIENT.name()) ? Safety.LENIENT : Safety.STRICT;
    }

    private static Work work(JsonNode json) {
        JsonNode singleton = json.path("singleton");
        if (singleton.isObject()) {
            return new SingletonWork(
                    Schedule.parse(text(singleton, "schedule")),
                    Misfire.valueOf(singleton.path("misfire").asText(Misfire.RUN_ONCE.name())),
                    new Retry((int) number(singleton, "retryLimit"), backoff(singleton.path("backoff"))));
        }
        JsonNode delayed = json.path("delayed");
        return new DelayedWork(
                duration(delayed, "visibilityTimeout"),
                (int) number(delayed, "maxAttempts"),
                backoff(delayed.path("backoff")),
                (int) number(delayed, "concurrency"),
                OnDuplicate.valueOf(text(delayed, "onDuplicate")));
    }

    private static void write(ObjectNode node, Backoff backoff) {
        node.put("initial", backoff.initial().toMillis())
                .put("factor", backoff.factor())
                .put("max", backoff.max().toMillis());
    }

    private static Backoff backoff(JsonNode json) {
        return new Backoff(duration(json, "initial"), json.path("factor").asDouble(), duration(json, "max"));
    }

    private static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("a job definition needs the text '" + field + "'");
        }
        return value.asText();
    }

    private static long number(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (!value.isIntegralNumber()) {
            throw new IllegalArgumentException("a job definition needs the integer '" + field + "'");
        }
        return value.asLong();
    }

    private static Duration duration(JsonNode json, String field) {
        return Duration.ofMillis(number(json, field));
    }
}
