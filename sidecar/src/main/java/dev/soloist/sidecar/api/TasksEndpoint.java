package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.json.Rfc3339;
import java.io.IOException;
import java.util.List;

/** Enqueue, read, reschedule and cancel tasks of one job. */
final class TasksEndpoint {

    private final DelayedWorker worker;

    TasksEndpoint(DelayedWorker worker) {
        this.worker = worker;
    }

    Answer enqueue(byte[] body, String idempotencyKey) throws Refusal, InterruptedException {
        var batch = TaskBatch.read(body, worker.limits().maxPayload());
        var results = new Enqueueing(worker).enqueue(batch, idempotencyKey);
        if (batch.array()) {
            return array(results);
        }
        return switch (results.getFirst()) {
            case Enqueueing.Accepted accepted -> Answer.json(202, json -> write(accepted, json));
            case Enqueueing.Refused(Problem problem) -> Answer.problem(problem);
        };
    }

    private static Answer array(List<Enqueueing.Result> results) {
        boolean allAccepted = results.stream().allMatch(Enqueueing.Accepted.class::isInstance);
        return Answer.json(allAccepted ? 202 : 207, json -> {
            json.writeStartArray();
            for (var result : results) {
                write(result, json);
            }
            json.writeEndArray();
        });
    }

    private static void write(Enqueueing.Result result, JsonGenerator json) throws IOException {
        switch (result) {
            case Enqueueing.Accepted(TaskId id, var accepted) -> TaskJson.writeAccepted(id, accepted, json);
            case Enqueueing.Refused(Problem problem) -> write(problem, json);
        }
    }

    private static void write(Problem problem, JsonGenerator json) throws IOException {
        json.writeStartObject();
        problem.writeMembers(json);
        json.writeEndObject();
    }

    Answer read(TaskId id) throws Refusal {
        var task = worker.inspect(id).orElseThrow(TasksEndpoint::unknownTask);
        return Answer.json(200, json -> TaskJson.writeView(task, json));
    }

    Answer reschedule(TaskId id, byte[] body) throws Refusal, InterruptedException {
        When when = RescheduleInput.read(body);
        return switch (worker.reschedule(id, when)) {
            case Rescheduling.Rescheduled(var dueAt, var _, var _) ->
                Answer.json(200, json -> {
                    json.writeStartObject();
                    json.writeStringField("id", id.text());
                    json.writeStringField("dueAt", Rfc3339.write(dueAt));
                    json.writeEndObject();
                });
            case Rescheduling.NotFound() -> throw unknownTask();
            case Rescheduling.Refused(Rescheduling.Reason reason) ->
                throw switch (reason) {
                    case IN_FLIGHT ->
                        new Refusal(ProblemKind.IN_FLIGHT, "The task is being delivered and cannot be moved.");
                    case DEAD ->
                        new Refusal(ProblemKind.DEAD, "The task is among the dead letters and cannot be moved.");
                    case TOO_FAR -> new Refusal(ProblemKind.TOO_FAR, "A task can be due at most one year ahead.");
                };
        };
    }

    Answer cancel(TaskId id) throws Refusal {
        return switch (worker.cancel(id)) {
            case Cancellation.CANCELLED -> Answer.empty(204);
            case Cancellation.IN_FLIGHT ->
                Answer.json(202, json -> {
                    json.writeStartObject();
                    json.writeStringField("id", id.text());
                    json.writeStringField("state", "inFlight");
                    json.writeBooleanField("cancelRequested", true);
                    json.writeEndObject();
                });
            case Cancellation.DONE, Cancellation.NOT_FOUND -> throw unknownTask();
        };
    }

    private static Refusal unknownTask() {
        return new Refusal(
                ProblemKind.UNKNOWN_TASK, "No task with this id is waiting, being delivered or dead in this job.");
    }
}
