package dev.soloist.operator.injection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Short words for building JSON.
final class Json {

    static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ObjectNode object(String key, String value) {
        return object().put(key, value);
    }

    static ArrayNode array(JsonNode... elements) {
        var array = JsonNodeFactory.instance.arrayNode();
        for (var element : elements) {
            array.add(element);
        }
        return array;
    }
}
