package dev.soloist.sidecar.api;

import dev.soloist.coordination.broadcast.Broadcast;
import dev.soloist.sidecar.broadcast.BroadcastWorker;

/** Sends news to every pod of one job. */
final class BroadcastEndpoint {

    private final BroadcastWorker worker;

    BroadcastEndpoint(BroadcastWorker worker) {
        this.worker = worker;
    }

    /**
     * Sends once and says how: nobody knows who hears it.
     *
     * @param idempotencyKey under the same key the same broadcast is meant, which a pod that heard it takes only once
     */
    Answer send(byte[] body, String idempotencyKey) throws Refusal {
        var payload = BroadcastInput.read(body);
        if (worker.job().suspended()) {
            throw new Refusal(
                    ProblemKind.SUSPENDED,
                    "The job is suspended, so no pod would hand it to its app, and nothing is kept until it is resumed.");
        }
        var id = (idempotencyKey.isEmpty() ? Ids.create() : Ids.derivedFrom(idempotencyKey)).text();
        var heardBy = worker.send(new Broadcast(id, payload));
        return Answer.json(202, json -> {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeStringField("delivery", "atMostOnce");
            json.writeStringField("sentBy", "pubSub");
            if (heardBy.isPresent()) {
                json.writeNumberField("listeners", heardBy.getAsLong());
            }
            json.writeEndObject();
        });
    }
}
