package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.sidecar.json.InvalidJson;
import dev.soloist.sidecar.json.StrictJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The body of an enqueue call: one task, or an array in which each is judged by itself.
 *
 * @param array whether the caller sent, and gets, an array
 */
record TaskBatch(boolean array, List<Item> items) {

    static final int MAX_TASKS = 100;

    /** A task, or why this one cannot be accepted. */
    sealed interface Item {
        record Task(TaskInput input) implements Item {}

        record Bad(Problem problem) implements Item {}
    }

    static TaskBatch read(byte[] body, int maxPayload) throws Refusal {
        return Documents.read(body, parser -> {
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                return new TaskBatch(true, array(body, parser, maxPayload));
            }
            return new TaskBatch(false, List.of(new Item.Task(TaskReader.read(body, parser, maxPayload))));
        });
    }

    private static List<Item> array(byte[] body, JsonParser parser, int maxPayload) throws IOException, Refusal {
        var items = new ArrayList<Item>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (items.size() == MAX_TASKS) {
                throw new Refusal(ProblemKind.INVALID_REQUEST, "An array has at most " + MAX_TASKS + " tasks.");
            }
            items.add(item(PayloadText.slice(body, parser), maxPayload));
        }
        if (items.isEmpty()) {
            throw new Refusal(ProblemKind.INVALID_REQUEST, "The array is empty.");
        }
        return items;
    }

    private static Item item(byte[] text, int maxPayload) throws IOException {
        try (var parser = StrictJson.parser(text)) {
            parser.nextToken();
            return new Item.Task(TaskReader.read(text, parser, maxPayload));
        } catch (Refusal refusal) {
            return new Item.Bad(refusal.problem());
        } catch (InvalidJson | JsonProcessingException malformed) {
            return new Item.Bad(new Problem(ProblemKind.MALFORMED_JSON, "The task is not well-formed JSON."));
        }
    }
}
