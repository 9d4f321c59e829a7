package dev.soloist.sidecar.api;

import dev.soloist.coordination.event.EventCursor;
import dev.soloist.coordination.event.EventId;
import dev.soloist.coordination.event.EventLog;
import dev.soloist.coordination.event.JobEvents;
import dev.soloist.coordination.event.JobLog;
import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.jobs.JobWorker;
import dev.soloist.sidecar.json.Rfc3339;
import dev.soloist.sidecar.singleton.SingletonWorker;

/** Reads the event log of one job from any point on. */
final class EventsEndpoint {

    private static final int LIMIT = 100;

    private final JobDefinition job;
    private final JobLog log;

    private EventsEndpoint(JobDefinition job, JobLog log) {
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
            case JobEvents.Page page -> answer(page);
            case JobEvents.Off(String reason) ->
                throw new Refusal(
                        ProblemKind.NO_EVENT_LOG,
                        "This store keeps no event log: it needs streams and scripts (" + reason + ").");
        };
    }

    private Answer answer(JobEvents.Page page) {
        return Answer.json(200, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("events");
            for (var event : page.events()) {
                EventJson.write(job.id().name(), event, json);
            }
            json.writeEndArray();
            json.writeStringField("next", page.next().toString());
            json.writeBooleanField("more", page.more());
            json.writeBooleanField("gap", page.gap());
            json.writeNumberField("kept", page.kept());
            json.writeEndObject();
        });
    }

    private static EventCursor point(String after) throws Refusal {
        if (after.isEmpty()) {
            return EventCursor.START;
        }
        var moment = Rfc3339.parse(after);
        try {
            return moment.isPresent()
                    ? EventCursor.after(new EventId(Math.max(0, moment.get().toEpochMilli()), 0))
                    : EventCursor.parse(after);
        } catch (IllegalArgumentException neither) {
            throw new Refusal(
                    ProblemKind.INVALID_REQUEST,
                    "after is \"next\" of an answer, the id of an event, or an RFC 3339 instant.");
        }
    }
}
