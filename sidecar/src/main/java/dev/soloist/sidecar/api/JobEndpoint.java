package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.coordination.delayed.stream.StreamState;
import dev.soloist.coordination.singleton.RunResult;
import dev.soloist.coordination.singleton.SingletonSnapshot;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.singleton.SingletonWorker;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads one job: sizes of its queue, or its state, lease and next run. */
final class JobEndpoint {

    private JobEndpoint() {}

    static Answer read(JobWorker worker) {
        return switch (worker) {
            case DelayedWorker delayed -> delayed(delayed);
            case SingletonWorker singleton -> singleton(singleton);
            default ->
                Answer.json(200, json -> {
                    head(worker, "broadcast", json);
                    json.writeEndObject();
                });
        };
    }

    private static Answer delayed(DelayedWorker worker) {
        var counts = worker.counts();
        var head = worker.head();
        var stream = worker.stream();
        return Answer.json(200, json -> {
            head(worker, "delayed", json);
            json.writeObjectFieldStart("delayed");
            json.writeNumberField("pending", counts.pending());
            json.writeNumberField("ready", counts.ready());
            json.writeNumberField("inFlight", counts.inFlight());
            json.writeNumberField("dead", counts.dead());
            json.writeNumberField("oldestOverdueSeconds", counts.oldestOverdue().toSeconds());
            instant("head", head.orElse(null), json);
            if (stream.isPresent()) {
                write(stream.get(), json);
            }
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    private static void write(StreamState stream, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("stream");
        json.writeNumberField("entries", stream.entries());
        json.writeNumberField("pending", stream.pending());
        json.writeNumberField("consumers", stream.consumers());
        instant("keptSince", stream.keptSince(), json);
        json.writeEndObject();
    }

    private static Answer singleton(SingletonWorker worker) {
        var snapshot = worker.snapshot();
        return Answer.json(200, json -> {
            head(worker, "singleton", json);
            json.writeObjectFieldStart("singleton");
            json.writeStringField("state", snapshot.state().name().toLowerCase(Locale.ROOT));
            instant("nextRun", snapshot.nextRun(), json);
            lease(snapshot, json);
            lastRun(snapshot, json);
            instant("unacknowledgedAt", snapshot.unacknowledged(), json);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    private static void head(JobWorker worker, String type, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("job", worker.job().id().name());
        json.writeStringField("type", type);
        json.writeBooleanField("suspended", worker.job().suspended());
    }

    private static void lease(SingletonSnapshot snapshot, JsonGenerator json) throws IOException {
        var run = snapshot.current();
        if (run == null) {
            return;
        }
        json.writeObjectFieldStart("lease");
        json.writeStringField("pod", run.pod());
        json.writeStringField("fence", run.fence().toString());
        instant("startedAt", run.startedAt(), json);
        instant("endsAt", run.leaseEnd(), json);
        json.writeEndObject();
    }

    private static void lastRun(SingletonSnapshot snapshot, JsonGenerator json) throws IOException {
        var last = snapshot.last();
        if (last == null) {
            return;
        }
        json.writeObjectFieldStart("lastRun");
        json.writeStringField("pod", last.pod());
        json.writeStringField("fence", last.fence().toString());
        instant("start", last.start(), json);
        instant("end", last.end(), json);
        json.writeStringField("result", result(last.result()));
        json.writeEndObject();
    }

    private static void instant(String name, @Nullable Instant instant, JsonGenerator json) throws IOException {
        if (instant != null) {
            json.writeStringField(name, Rfc3339.write(instant));
        }
    }

    static String result(RunResult result) {
        return result == RunResult.TIMED_OUT ? "timedOut" : result.name().toLowerCase(Locale.ROOT);
    }
}
