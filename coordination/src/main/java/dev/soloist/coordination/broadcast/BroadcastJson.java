package dev.soloist.coordination.broadcast;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.soloist.coordination.delayed.Payload;
import java.io.IOException;
import java.util.Optional;

/** A broadcast as the message that goes over the channel. Unknown fields are passed over. */
final class BroadcastJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private BroadcastJson() {}

    static String write(Broadcast broadcast) {
        try {
            return MAPPER.writeValueAsString(MAPPER.createObjectNode()
                    .put("id", broadcast.id())
                    .put("contentType", broadcast.payload().contentType())
                    .put("payload", broadcast.payload().bytes()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and bytes can always be written", e);
        }
    }

    /** Empty if it is none: anybody may publish anything on a channel. */
    static Optional<Broadcast> read(String message) {
        try {
            JsonNode json = MAPPER.readTree(message);
            byte[] payload = json.path("payload").binaryValue();
            if (payload == null) {
                return Optional.empty();
            }
            return Optional.of(new Broadcast(
                    json.path("id").asText(),
                    Payload.of(payload, json.path("contentType").asText())));
        } catch (IOException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }
}
