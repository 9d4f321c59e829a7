package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.coordination.broadcast.Broadcast;
import dev.soloist.coordination.delayed.Payload;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The body of a broadcast call: a payload as tasks have it. */
final class BroadcastInput {

    private BroadcastInput() {}

    static Payload read(byte[] body) throws Refusal {
        try {
            return Documents.read(body, parser -> payload(body, parser));
        } catch (Refusal refusal) {
            if (refusal.problem().kind() == ProblemKind.INVALID_TASK) {
                throw new Refusal(
                        ProblemKind.INVALID_BROADCAST, refusal.problem().detail());
            }
            throw refusal;
        }
    }

    private static Payload payload(byte[] body, JsonParser parser) throws IOException, Refusal {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new Refusal(ProblemKind.INVALID_BROADCAST, "A broadcast is a JSON object.");
        }
        byte @Nullable [] payload = null;
        @Nullable String base64 = null;
        @Nullable String contentType = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "payload" -> payload = PayloadText.slice(body, parser);
                case "payloadBase64" -> base64 = Members.text(name, parser);
                case "contentType" -> contentType = Members.text(name, parser);
                default -> throw Members.unknown(name, "payload, payloadBase64, contentType");
            }
        }
        return PayloadText.read(payload, base64, contentType, Broadcast.MAX_PAYLOAD);
    }
}
