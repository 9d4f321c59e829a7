package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;

/** JSON nodes that several parts of the dashboard need. */
final class Json {

    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode array(Collection<? extends JsonNode> elements) {
        return MAPPER.createArrayNode().addAll(elements);
    }

    /** The reference to the variable by which the reader picks the Prometheus. */
    static ObjectNode datasource() {
        return object().put("type", "prometheus").put("uid", "${datasource}");
    }
}
