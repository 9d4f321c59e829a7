package dev.soloist.coordination.capability;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/**
 * What the data of one installation say about themselves: one text under a plain key, so that every mode and version can
 * read it. Immutable.
 *
 * @param schema the version of the form of all keys; only ever raised
 * @param mode in which the data were made
 * @param cluster the uid of the Kubernetes cluster that they belong to
 */
record StoreRecord(int schema, DataMode mode, String cluster) {

    /** The newest form that this version knows. */
    static final int SCHEMA = 1;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    String json() {
        return MAPPER.createObjectNode()
                .put("schema", schema)
                .put("mode", mode.word())
                .put("cluster", cluster)
                .toString();
    }

    /** What can be made out: a newer version may have added fields and modes, but keeps the field `schema`. */
    sealed interface Reading {
        record Known(StoreRecord record) implements Reading {}

        record Newer(int schema) implements Reading {}

        record Unreadable() implements Reading {}
    }

    static Reading read(String text) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return new Reading.Unreadable();
        }
        int schema = json.path("schema").asInt();
        if (schema > SCHEMA) {
            return new Reading.Newer(schema);
        }
        Optional<DataMode> mode = DataMode.of(json.path("mode").asText());
        String cluster = json.path("cluster").asText();
        return schema < 1 || mode.isEmpty() || cluster.isEmpty()
                ? new Reading.Unreadable()
                : new Reading.Known(new StoreRecord(schema, mode.get(), cluster));
    }
}
