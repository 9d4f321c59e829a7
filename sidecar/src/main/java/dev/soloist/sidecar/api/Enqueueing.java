package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.Enqueue;
import dev.soloist.coordination.delayed.NewTask;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.sidecar.delayed.DelayedWorker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings the tasks of one request to the store: in one round trip, or in a few where their payloads are large. Each task has a
 * result of its own. Used for one request.
 */
final class Enqueueing {

    private static final Problem NOT_REPLICATED = new Problem(
            ProblemKind.NOT_REPLICATED,
            "The job's LockPolicy wants replicas to have the task, and too few of them said so in time. The task may have been"
                    + " accepted, and may be forgotten by a failover: repeat it with the same Idempotency-Key.");

    private static final Problem NO_KEYS = new Problem(
            ProblemKind.INVALID_TASK,
            "dedupKey needs spec.delayed.deduplication, which this job does not have; without it an id alone tells tasks"
                    + " apart.");

    private final DelayedWorker worker;

    Enqueueing(DelayedWorker worker) {
        this.worker = worker;
    }

    /** What became of one task of a request. */
    sealed interface Result {}

    record Accepted(TaskId id, Enqueue.Accepted enqueue) implements Result {}

    record Refused(Problem problem) implements Result {}

    /** A task and its place in the request. */
    private record Placed(int place, NewTask task) {}

    List<Result> enqueue(TaskBatch batch, String idempotencyKey) throws InterruptedException {
        var results = new Result[batch.items().size()];
        var waiting = new ArrayList<Placed>();
        for (int i = 0; i < results.length; i++) {
            var key = idempotencyKey.isEmpty() || !batch.array() ? idempotencyKey : idempotencyKey + "/" + i;
            switch (batch.items().get(i)) {
                case TaskBatch.Item.Bad(Problem problem) -> results[i] = new Refused(problem);
                case TaskBatch.Item.Task(var input)
                when input.dedupKey() != null && !worker.deduplicates() -> results[i] = new Refused(NO_KEYS);
                case TaskBatch.Item.Task(var input) -> waiting.add(new Placed(i, task(input, key)));
            }
        }
        send(waiting, results);
        return Arrays.asList(results);
    }

    /**
     * When the store is away for one call it is for the rest: each would wait for its own time-out in vain. Unless the tasks
     * are in several places, of which the others may be there.
     */
    private void send(List<Placed> waiting, Result[] results) throws InterruptedException {
        @Nullable Problem storeAway = null;
        for (var call : calls(waiting)) {
            if (storeAway == null || worker.isSpread()) {
                storeAway = null;
                try {
                    var answer = worker.enqueue(call.stream().map(Placed::task).toList());
                    for (int i = 0; i < call.size(); i++) {
                        results[call.get(i).place()] = result(call.get(i).task().id(), answer, i);
                    }
                } catch (RedisUnavailable unanswered) {
                    storeAway = StoreProblems.of(unanswered);
                }
            }
            if (storeAway != null) {
                for (var placed : call) {
                    results[placed.place()] = new Refused(storeAway);
                }
            }
        }
    }

    private static List<List<Placed>> calls(List<Placed> waiting) {
        var calls = new ArrayList<List<Placed>>();
        long bytes = 0;
        for (var placed : waiting) {
            int size = placed.task().payload().bytes().length;
            if (calls.isEmpty() || bytes + size > DelayedQueue.MAX_BATCH_BYTES) {
                calls.add(new ArrayList<>());
                bytes = 0;
            }
            calls.getLast().add(placed);
            bytes += size;
        }
        return calls;
    }

    private NewTask task(TaskInput input, String key) {
        var id = input.id() == null ? (key.isEmpty() ? Ids.create() : Ids.derivedFrom(key)) : input.id();
        // A caller without a key means each request as a new one; repeats inside the sidecar carry the same key all the
        // same.
        var requestKey = key.isEmpty() ? Nonce.create().value() : key;
        return new NewTask(
                id,
                input.payload(),
                input.due(),
                requestKey,
                worker.onDuplicate(),
                input.priority(),
                worker.once(input.dedupKey() == null ? id : input.dedupKey()));
    }

    private static Result result(TaskId id, Acknowledged<List<Enqueue>> answer, int index) {
        return switch (answer.answer().get(index)) {
            case Enqueue.Accepted accepted ->
                answer.enough() ? new Accepted(standsFor(id, accepted), accepted) : new Refused(NOT_REPLICATED);
            case Enqueue.Refused(Enqueue.Reason reason) -> new Refused(problem(reason));
            case Enqueue.Unanswered(RedisUnavailable why) -> new Refused(StoreProblems.of(why));
            case Enqueue.Fenced() -> throw new IllegalStateException("the worker answers no fence");
        };
    }

    /** Where another task has the key, it is the one to ask about. */
    private static TaskId standsFor(TaskId id, Enqueue.Accepted accepted) {
        var taken = accepted.taken();
        return taken == null ? id : taken.by();
    }

    private static Problem problem(Enqueue.Reason reason) {
        return switch (reason) {
            case EXISTS ->
                new Problem(ProblemKind.ID_TAKEN, "A task with this id is waiting, and the job refuses duplicates.");
            case IN_FLIGHT ->
                new Problem(
                        ProblemKind.IN_FLIGHT, "A task with this id is being delivered; enqueue again when it ended.");
            case DEAD ->
                new Problem(
                        ProblemKind.DEAD,
                        "A task with this id, or with this deduplication key, is among the dead letters; requeue or DELETE it"
                                + " first.");
            case TOO_LARGE -> new Problem(ProblemKind.PAYLOAD_TOO_LARGE, "The payload is beyond the job's limit.");
            case FULL -> new Problem(ProblemKind.QUEUE_FULL, "The job holds as many tasks as it may.");
            case NO_PRIORITIES ->
                new Problem(
                        ProblemKind.NOT_ON_THIS_STORE,
                        "The store of this namespace runs without scripts and has one level only: leave priority out.");
            case TOO_FAR -> new Problem(ProblemKind.TOO_FAR, "A task can be due at most one year ahead.");
        };
    }
}
