package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.coordination.lease.LeaseName;
import dev.soloist.coordination.lease.LeaseView;
import dev.soloist.coordination.singleton.Fence;
import dev.soloist.sidecar.json.GoDuration;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.lease.AppLeases;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** Leases as the API shows them. */
final class LeaseJson {

    private LeaseJson() {}

    static Answer held(int status, LeaseName name, Fence fence, Duration remaining, Instant endsAt) {
        return Answer.json(status, json -> {
            json.writeStartObject();
            json.writeStringField("name", name.text());
            json.writeStringField("fence", fence.toString());
            json.writeStringField("usableFor", GoDuration.write(AppLeases.usable(remaining)));
            json.writeStringField("endsAt", Rfc3339.write(endsAt));
            json.writeEndObject();
        });
    }

    static Answer revoked(LeaseName name, String pod, Duration remaining) {
        return Answer.json(202, json -> {
            json.writeStartObject();
            json.writeStringField("name", name.text());
            json.writeStringField("pod", pod);
            json.writeStringField("freeWithin", GoDuration.write(remaining));
            json.writeEndObject();
        });
    }

    static void write(LeaseView view, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", view.name());
        switch (view) {
            case LeaseView.OfApp app -> {
                json.writeStringField("kind", "app");
                json.writeStringField("pod", app.holder().podName());
                json.writeStringField("fence", app.fence().toString());
                json.writeStringField("since", Rfc3339.write(app.since()));
                json.writeStringField("ttl", GoDuration.write(app.ttl()));
                json.writeBooleanField("revoked", app.revoked());
            }
            case LeaseView.OfJob job -> {
                json.writeStringField("kind", "job");
                json.writeStringField("instance", job.holder().value());
            }
        }
        json.writeStringField("endsIn", GoDuration.write(view.remaining()));
        json.writeStringField("endsAt", Rfc3339.write(view.endsAt()));
        json.writeEndObject();
    }
}
