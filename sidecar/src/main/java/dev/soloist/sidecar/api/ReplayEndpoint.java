package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.stream.ReplayRequest;
import dev.soloist.coordination.key.Nonce;
import dev.soloist.sidecar.delayed.DelayedWorker;
import dev.soloist.sidecar.json.Rfc3339;

/** Has tasks handled again that a job's stream still knows. */
final class ReplayEndpoint {

    private ReplayEndpoint() {}

    static Answer replay(DelayedWorker worker, byte[] body, String idempotencyKey)
            throws Refusal, InterruptedException {
        var input = ReplayInput.read(body);
        var key = idempotencyKey.isEmpty() ? Nonce.create().value() : idempotencyKey;
        var replayed = worker.replay(new ReplayRequest(input.from(), input.until(), key))
                .orElseThrow(() -> new Refusal(
                        ProblemKind.NO_HISTORY,
                        "Job '" + worker.job().id().name()
                                + "' keeps nothing of what was handled; with delayed.transport: Stream it would."));
        if (replayed.full()) {
            throw new Refusal(
                    ProblemKind.QUEUE_FULL,
                    replayed.tasks()
                            + " tasks were made ready, then the job held as many as it may. Repeat the request with"
                            + " the same Idempotency-Key later: what it has made ready is known for ten minutes after its end.");
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
}
