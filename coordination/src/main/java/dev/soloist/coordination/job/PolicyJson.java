package dev.soloist.coordination.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.durability.Durability;
import java.time.Duration;

/** How a run is protected, as JSON. */
final class PolicyJson {

    private PolicyJson() {}

    static void write(ObjectNode json, LeasePolicy policy) {
        json.put("ttl", policy.ttl().toMillis())
                .put("heartbeat", policy.heartbeat())
                .put("heartbeatEvery", policy.heartbeatEvery().toMillis())
                .put("release", policy.release().name())
                .put("holdFor", policy.holdFor().toMillis())
                .put("watchdogEvery", policy.watchdogEvery().toMillis())
                .put("grace", policy.grace().toMillis())
                .put("maxRunTime", policy.maxRunTime().toMillis())
                .put("safety", policy.safety().name());
        if (policy.durability() instanceof Durability.Replicated(int replicas, Duration timeout)) {
            json.putObject("replicated").put("replicas", replicas).put("timeout", timeout.toMillis());
        }
        if (policy.backend() != Backend.STRING) {
            json.put("backend", policy.backend().name());
        }
    }

    static LeasePolicy read(JsonNode json) {
        return new LeasePolicy(
                JsonFields.duration(json, "ttl"),
                json.path("heartbeat").asBoolean(),
                JsonFields.duration(json, "heartbeatEvery"),
                ReleasePolicy.valueOf(JsonFields.text(json, "release")),
                JsonFields.duration(json, "holdFor"),
                JsonFields.duration(json, "watchdogEvery"),
                JsonFields.duration(json, "grace"),
                JsonFields.duration(json, "maxRunTime"),
                durability(json.path("replicated")),
                safety(json),
                Backend.valueOf(json.path("backend").asText(Backend.STRING.name())));
    }

    /** Absent: an operator of before, or nobody asked for replicas. */
    private static Durability durability(JsonNode json) {
        return json.isObject()
                ? new Durability.Replicated(
                        (int) JsonFields.number(json, "replicas"), JsonFields.duration(json, "timeout"))
                : Durability.LOCAL;
    }

    /** Absent: an operator of before, which knew nothing else. */
    private static Safety safety(JsonNode json) {
        return json.path("safety").asText().equals(Safety.LENIENT.name()) ? Safety.LENIENT : Safety.STRICT;
    }
}
