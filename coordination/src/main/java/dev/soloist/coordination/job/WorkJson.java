package dev.soloist.coordination.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.schedule.Schedule;
import java.time.Duration;

/** What is shared, as JSON: a field named after the kind of work. */
final class WorkJson {

    private WorkJson() {}

    static void write(ObjectNode json, Work any) {
        switch (any) {
            case SingletonWork work -> singleton(json.putObject("singleton"), work);
            case DelayedWork work -> DelayedWorkJson.write(json.putObject("delayed"), work);
            case BroadcastWork _ -> json.putObject("broadcast");
        }
    }

    static Work read(JsonNode json) {
        if (json.path("singleton").isObject()) {
            return singleton(json.path("singleton"));
        }
        return json.path("broadcast").isObject() ? new BroadcastWork() : DelayedWorkJson.read(json.path("delayed"));
    }

    private static void singleton(ObjectNode json, SingletonWork work) {
        json.put("schedule", work.schedule().text())
                .put("misfire", work.misfire().name())
                .put("retryLimit", work.retry().limit());
        JsonFields.write(json.putObject("backoff"), work.retry().backoff());
        if (!work.cooldown().isZero()) {
            json.put("cooldown", work.cooldown().toMillis());
        }
    }

    private static SingletonWork singleton(JsonNode json) {
        return new SingletonWork(
                Schedule.parse(JsonFields.text(json, "schedule")),
                Misfire.valueOf(json.path("misfire").asText(Misfire.RUN_ONCE.name())),
                new Retry((int) JsonFields.number(json, "retryLimit"), JsonFields.backoff(json.path("backoff"))),
                Duration.ofMillis(json.path("cooldown").asLong()));
    }
}
