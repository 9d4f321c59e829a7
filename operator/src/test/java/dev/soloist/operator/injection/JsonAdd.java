package dev.soloist.operator.injection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Applies `add` operations, the only kind that may occur, as RFC 6902 says. */
final class JsonAdd {

    private JsonAdd() {}

    static JsonNode apply(JsonNode document, ArrayNode operations) {
        var result = document.deepCopy();
        for (var operation : operations) {
            if (!operation.path("op").asText().equals("add")) {
                throw new AssertionError("not an add: " + operation);
            }
            add(result, operation.path("path").asText(), operation.get("value"));
        }
        return result;
    }

    private static void add(JsonNode document, String path, JsonNode value) {
        var slash = path.lastIndexOf('/');
        var parent = document.at(path.substring(0, slash));
        var key = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
        switch (parent) {
            case ObjectNode object when object.has(key) -> throw new AssertionError("would replace " + path);
            case ObjectNode object -> object.set(key, value);
            case ArrayNode array when key.equals("-") -> array.add(value);
            case ArrayNode array -> array.insert(Integer.parseInt(key), value);
            default -> throw new AssertionError("no parent for " + path);
        }
    }
}
