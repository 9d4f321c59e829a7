package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.coordination.delayed.Cancellation;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.Rescheduling;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.When;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.json.Rfc3339;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Enqueue, read, reschedule and cancel tasks of one job. */
final class TasksEndpoint {

    private static final Problem NOT_REPLICATED = new Problem(
            ProblemKind.NOT_REPLICATED,
            "The job's LockPolicy wants replicas to have the task, and too few of them said so in time. The task may have been"
                    + " accepted, and may be forgotten by a failover: repeat it with the same Idempotency-Key.");

    private final DelayedWorker worker;

    TasksEndpoint(DelayedWorker worker) {
        this.worker = worker;
    }

    /** What became of one task of a request. */
    private sealed interface Result {
        record Accepted(TaskId id, Enqueue.Accepted enqueue) implements Result {}

        record Refused(Problem problem) implements Result {}

        /** It would fare no better if it were sent now. */
        record StoreAway(Problem problem) implements Result {}
    }

    Answer enqueue(byte[] body, String idempotencyKey) throws Refusal, InterruptedException {
        var batch = TaskBatch.read(body);
        if (!batch.array() && batch.items().getFirst() instanceof TaskBatch.Item.Task(var input)) {
            return switch (enqueue(input, idempotencyKey)) {
                case Result.Accepted accepted -> Answer.json(202, json -> write(accepted, json));
                case Result.Refused(Problem problem) -> Answer.problem(problem);
                case Result.StoreAway(Problem problem) -> Answer.problem(problem);
            };
        }
        return array(enqueue(batch.items(), idempotencyKey));
    }

    /** One after the other. When the store is away for one it is for the rest: each would wait for its own time-out in vain. */
    private List<Result> enqueue(List<TaskBatch.Item> items, String idempotencyKey) throws InterruptedException {
        var results = new ArrayList<Result>();
        @Nullable Problem storeAway = null;
        for (var item : items) {
            var key = idempotencyKey.isEmpty() ? "" : idempotencyKey + "/" + results.size();
            var result = switch (item) {
                case TaskBatch.Item.Bad(Problem problem) -> new Result.Refused(problem);
                case TaskBatch.Item.Task(var input) ->
                    storeAway == null ? answered(input, key) : new Result.StoreAway(storeAway);
            };
            if (result instanceof Result.StoreAway(Problem problem)) {
                storeAway = problem;
            }
            results.add(result);
        }
        return results;
    }

    private Result answered(TaskInput input, String key) throws InterruptedException {
        try {
            return enqueue(input, key);
        } catch (RedisUnavailable unanswered) {
            return new Result.StoreAway(StoreProblems.of(unanswered));
        }
    }

    private Result enqueue(TaskInput input, String key) throws InterruptedException {
        var id = input.id() == null ? (key.isEmpty() ? Ids.create() : Ids.derivedFrom(key)) : input.id();
        // A caller without a key means each request as a new one; repeats inside the sidecar carry the same key all the
        // same.
        var requestKey = key.isEmpty() ? Nonce.create().value() : key;
        var answer = worker.enqueue(id, input.payload(), input.due(), requestKey);
        return switch (answer.answer()) {
            case Enqueue.Accepted accepted ->
                answer.enough() ? new Result.Accepted(id, accepted) : new Result.StoreAway(NOT_REPLICATED);
            case Enqueue.Refused(Enqueue.Reason reason) -> new Result.Refused(problem(reason));
            case Enqueue.Fenced() -> throw new IllegalStateException("the worker answers no fence");
        };
    }

    private static Problem problem(Enqueue.Reason reason) {
        return switch (reason) {
            case EXISTS ->
                new Problem(ProblemKind.ID_TAKEN, "A task with this id is waiting, and the job refuses duplicates.");
            case IN_FLIGHT ->
                new Problem(
                        ProblemKind.IN_FLIGHT, "A task with this id is being delivered; enqueue again when it ended.");
            case DEAD ->
                new Problem(ProblemKind.DEAD, "A task with this id is among the dead letters; DELETE it first.");
            case TOO_LARGE -> new Problem(ProblemKind.PAYLOAD_TOO_LARGE, "The payload is beyond the job's limit.");
            case FULL -> new Problem(ProblemKind.QUEUE_FULL, "The job holds as many tasks as it may.");
            case TOO_FAR -> new Problem(ProblemKind.TOO_FAR, "A task can be due at most one year ahead.");
            case NO_PRIORITIES -> new Problem(ProblemKind.INVALID_TASK, "The job has one priority only, normal.");
        };
    }

    private static Answer array(List<Result> results) {
        boolean allAccepted = results.stream().allMatch(Result.Accepted.class::isInstance);
        return Answer.json(allAccepted ? 202 : 207, json -> {
            json.writeStartArray();
            for (var result : results) {
                write(result, json);
            }
            json.writeEndArray();
        });
    }

    private static void write(Result result, JsonGenerator json) throws IOException {
        switch (result) {
            case Result.Accepted(TaskId id, var accepted) -> TaskJson.writeAccepted(id, accepted, json);
            case Result.Refused(Problem problem) -> write(problem, json);
            case Result.StoreAway(Problem problem) -> write(problem, json);
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
