package dev.soloist.coordination.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Delayed work as JSON. What is absent is as it was before the field existed. */
final class DelayedWorkJson {

    private DelayedWorkJson() {}

    static void write(ObjectNode json, DelayedWork work) {
        json.put("visibilityTimeout", work.visibilityTimeout().toMillis())
                .put("maxAttempts", work.maxAttempts())
                .put("concurrency", work.concurrency())
                .put("onDuplicate", work.onDuplicate().name());
        JsonFields.write(json.putObject("backoff"), work.backoff());
        json.putObject("limits")
                .put("maxPayload", work.limits().maxPayload())
                .put("maxDepth", work.limits().maxDepth())
                .put("deadMaxAge", work.limits().deadMaxAge().toMillis())
                .put("deadMaxLength", work.limits().deadMaxLength());
        if (work.transport() instanceof Transport.Stream(Duration retention, long maxLength)) {
            json.putObject("stream").put("retention", retention.toMillis()).put("maxLength", maxLength);
        }
        if (work.delivery() != Delivery.AT_LEAST_ONCE) {
            json.put("delivery", work.delivery().name());
        }
        Deduplication keys = work.deduplication();
        if (keys != null) {
            json.putObject("deduplication")
                    .put("window", keys.window().toMillis())
                    .put("localCache", keys.localCache())
                    .put("releaseOn", keys.releaseOn().name());
        }
        RateLimit rate = work.rateLimit();
        if (rate != null) {
            json.putObject("rateLimit")
                    .put("max", rate.max())
                    .put("per", rate.per().toMillis());
        }
        if (work.shards() != 1) {
            json.put("shards", work.shards());
        }
    }

    static DelayedWork read(JsonNode json) {
        return new DelayedWork(
                JsonFields.duration(json, "visibilityTimeout"),
                (int) JsonFields.number(json, "maxAttempts"),
                JsonFields.backoff(json.path("backoff")),
                (int) JsonFields.number(json, "concurrency"),
                OnDuplicate.valueOf(JsonFields.text(json, "onDuplicate")),
                transport(json.path("stream")),
                Delivery.valueOf(json.path("delivery").asText(Delivery.AT_LEAST_ONCE.name())),
                deduplication(json.path("deduplication")),
                limits(json.path("limits")),
                rateLimit(json.path("rateLimit")),
                json.path("shards").asInt(1));
    }

    private static Transport transport(JsonNode json) {
        return json.isObject()
                ? new Transport.Stream(JsonFields.duration(json, "retention"), JsonFields.number(json, "maxLength"))
                : Transport.LIST;
    }

    private static @Nullable Deduplication deduplication(JsonNode json) {
        return json.isObject()
                ? new Deduplication(
                        JsonFields.duration(json, "window"),
                        json.path("localCache").asBoolean(),
                        ReleaseOn.valueOf(JsonFields.text(json, "releaseOn")))
                : null;
    }

    private static TaskLimits limits(JsonNode json) {
        return json.isObject()
                ? new TaskLimits(
                        (int) JsonFields.number(json, "maxPayload"),
                        JsonFields.number(json, "maxDepth"),
                        JsonFields.duration(json, "deadMaxAge"),
                        JsonFields.number(json, "deadMaxLength"))
                : TaskLimits.DEFAULT;
    }

    private static @Nullable RateLimit rateLimit(JsonNode json) {
        return json.isObject()
                ? new RateLimit((int) JsonFields.number(json, "max"), JsonFields.duration(json, "per"))
                : null;
    }
}
