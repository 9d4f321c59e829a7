package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.stream.ReplayRequest;
import dev.soloist.coordination.delayed.stream.Replayed;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.delayed.Replaying;
import dev.soloist.sidecar.json.Rfc3339;

/** Has tasks handled again that a job's stream still knows. */
final class ReplayEndpoint {

    private ReplayEndpoint() {}

    static Answer replay(DelayedWorker worker, byte[] body, String idempotencyKey)
            throws Refusal, InterruptedException {
        var input = ReplayInput.read(body);
        var key = idempotencyKey.isEmpty() ? Nonce.create().value() : idempotencyKey;
        var replayed = switch (worker.replay(new ReplayRequest(input.from(), input.until(), key))) {
            case Replaying.Done(var done) -> done;
            case Replaying.NoHistory() -> throw noHistory(worker);
            case Replaying.Spread(int shards) -> throw spread(shards);
        };
        if (replayed.full()) {
            throw full(replayed);
        }
        return Answer.json(200, json -> {
            json.writeStartObject();
            json.writeNumberField("replayed", replayed.tasks());
            json.writeNumberField("alive", replayed.alive());
            json.writeNumberField("repeated", replayed.repeated());
            json.writeStringField("until", Rfc3339.write(replayed.until()));
            json.writeEndObject();
        });
    }

    private static Refusal noHistory(DelayedWorker worker) {
        return new Refusal(
                ProblemKind.NO_HISTORY,
                "Job '" + worker.job().id().name()
                        + "' keeps nothing of what was handled; with delayed.transport: Stream it would.");
    }

    private static Refusal spread(int shards) {
        return new Refusal(
                ProblemKind.SHARDS_IN_USE,
                "Tasks may still lie in " + shards
                        + " shards, in which another number of delayed.shards has put them, and one that is"
                        + " replayed there could live twice. Repeat the request when status.delayed.formerShards of the job is"
                        + " gone.");
    }

    private static Refusal full(Replayed replayed) {
        return new Refusal(
                ProblemKind.QUEUE_FULL,
                replayed.tasks()
                        + " tasks were made ready, then the job held as many as it may. Repeat the request with"
                        + " the same Idempotency-Key later: what it has made ready is known for ten minutes after its end.");
    }
}
