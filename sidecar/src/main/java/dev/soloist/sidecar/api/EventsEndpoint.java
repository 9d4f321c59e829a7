package dev.soloist.sidecar.api;

import dev.soloist.coordination.event.EventId;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.EventPage;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.singleton.SingletonWorker;

/** Reads the event log of one job from any point on. */
final class EventsEndpoint {

    private static final int LIMIT = 100;

    private final JobDefinition job;
    private final EventLog log;

    private EventsEndpoint(JobDefinition job, EventLog log) {
        this.job = job;
        this.log = log;
    }

    static EventsEndpoint of(JobWorker worker) throws Refusal {
        var job = worker.job();
        if (job.eventLogLength() == 0) {
            throw new Refusal(
                    ProblemKind.NO_EVENT_LOG,
                    "Job '" + job.id().name() + "' keeps no events: its manifest has no eventLog.maxLength above 0.");
        }
        return switch (worker) {
            case DelayedWorker delayed -> new EventsEndpoint(job, delayed.events());
            case SingletonWorker singleton -> new EventsEndpoint(job, singleton.events());
            default ->
                throw new Refusal(ProblemKind.NO_EVENT_LOG, "A broadcast has no end, so there is nothing to be noted.");
        };
    }

    Answer read(Query query) throws Refusal {
        var after = point(query.text("after"));
        int limit = query.number("limit", LIMIT, 1, EventLog.PAGE);
        return switch (log.after(after, limit)) {
            case EventPage.Events page -> answer(after, page);
            case EventPage.Off(String reason) ->
                throw new Refusal(
                        ProblemKind.NO_EVENT_LOG,
                        "This store keeps no event log: it needs streams and scripts (" + reason + ").");
        };
    }

    private Answer answer(EventId after, EventPage.Events page) {
        var events = page.events();
        var next = events.isEmpty() ? after : events.getLast().id();
        return Answer.json(200, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("events");
            for (var event : events) {
                EventJson.write(job.id().name(), event, json);
            }
            json.writeEndArray();
            json.writeStringField("next", next.toString());
            json.writeBooleanField(
                    "more", !events.isEmpty() && !next.equals(page.newest()));
            json.writeBooleanField("gap", page.gap());
            json.writeNumberField("kept", page.kept());
            if (page.oldest() != null && page.newest() != null) {
                json.writeStringField("oldest", page.oldest().toString());
                json.writeStringField("newest", page.newest().toString());
            }
            json.writeEndObject();
        });
    }

    private static EventId point(String after) throws Refusal {
        if (after.isEmpty()) {
            return EventId.START;
        }
        var moment = Rfc3339.parse(after);
        try {
            return moment.isPresent()
                    ? new EventId(Math.max(0, moment.get().toEpochMilli()), 0)
                    : EventId.parse(after);
        } catch (IllegalArgumentException neither) {
            throw new Refusal(
                    ProblemKind.INVALID_REQUEST,
                    "after is the id of an event, such as \"1764468000000-41\", or an RFC 3339 instant.");
        }
    }
}
