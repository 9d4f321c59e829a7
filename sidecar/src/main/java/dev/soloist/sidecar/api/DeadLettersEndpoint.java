package dev.soloist.sidecar.api;

import dev.soloist.coordination.delayed.DeadTask;
import dev.soloist.coordination.delayed.Discard;
import dev.soloist.coordination.delayed.TaskId;
import dev.soloist.coordination.delayed.TaskState;
import dev.soloist.sidecar.delayed.DelayedWorker;

/** List, read, requeue and throw away the dead letters of one job. */
final class DeadLettersEndpoint {

    private static final int PAGE = 100;

    private final DelayedWorker worker;

    DeadLettersEndpoint(DelayedWorker worker) {
        this.worker = worker;
    }

    /** One page, the latest death first. Letters that come or go meanwhile move those behind them. */
    Answer list(Query query) throws Refusal {
        int skip = query.number("skip", 0, 0, 100_000_000);
        int limit = query.number("limit", PAGE, 1, PAGE);
        int reach = worker.deadLetters().reach();
        if (skip > reach) {
            throw new Refusal(
                    ProblemKind.INVALID_REQUEST,
                    "The tasks of this job are spread over shards, so that what is skipped has to be read: skip is at most "
                            + reach + ". Requeue or DELETE letters to see those behind them.");
        }
        var page = worker.deadLetters().list(skip, limit);
        return Answer.json(200, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("dead");
            for (DeadTask letter : page) {
                TaskJson.writeDead(letter, json);
            }
            json.writeEndArray();
            if (page.size() == limit) {
                json.writeNumberField("next", skip + limit);
            }
            json.writeEndObject();
        });
    }

    Answer read(TaskId id) throws Refusal {
        var task = worker.inspect(id)
                .filter(view -> view.state() == TaskState.DEAD)
                .orElseThrow(DeadLettersEndpoint::notDead);
        return Answer.json(200, json -> TaskJson.writeView(task, json));
    }

    Answer requeue(TaskId id) throws Refusal {
        switch (worker.deadLetters().requeue(id)) {
            case REQUEUED -> {}
            case NOT_DEAD -> throw notDead();
            case KEY_TAKEN ->
                throw new Refusal(
                        ProblemKind.KEY_TAKEN,
                        "Another task with the same deduplication key lives, or was handled inside its window; requeue this one"
                                + " when that is over, or DELETE it.");
        }
        return Answer.json(202, json -> {
            json.writeStartObject();
            json.writeStringField("id", id.text());
            json.writeStringField("state", "ready");
            json.writeEndObject();
        });
    }

    Answer discard(TaskId id) throws Refusal {
        if (worker.deadLetters().discard(id) == Discard.NOT_DEAD) {
            throw notDead();
        }
        return Answer.empty(204);
    }

    Answer purge() {
        var purged = worker.deadLetters().purge();
        return Answer.json(200, json -> {
            json.writeStartObject();
            json.writeNumberField("purged", purged);
            json.writeEndObject();
        });
    }

    private static Refusal notDead() {
        return new Refusal(ProblemKind.UNKNOWN_TASK, "No task with this id is among the dead letters of this job.");
    }
}
