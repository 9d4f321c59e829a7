package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.sidecar.json.GoDuration;
import java.time.Duration;

/** The body of a wish for a lease: {@code {"ttl"?: duration}}. */
final class LeaseInput {

    static final Duration LEAST = Duration.ofSeconds(1);
    static final Duration MOST = Duration.ofHours(1);
    static final Duration DEFAULT = Duration.ofSeconds(30);

    private LeaseInput() {}

    static Duration read(byte[] body) throws Refusal {
        return Documents.read(body, parser -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw invalid("The body is a JSON object, with ttl or empty.");
            }
            var ttl = DEFAULT;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                var name = parser.currentName();
                if (!name.equals("ttl")) {
                    throw invalid("Unknown member; there is ttl.");
                }
                if (parser.nextToken() != JsonToken.VALUE_STRING) {
                    throw invalid("ttl must be a text.");
                }
                ttl = bounded(parser.getText());
            }
            return ttl;
        });
    }

    private static Duration bounded(String text) throws Refusal {
        return GoDuration.parse(text)
                .filter(ttl -> ttl.compareTo(LEAST) >= 0 && ttl.compareTo(MOST) <= 0)
                .orElseThrow(() -> invalid("ttl must be a duration from \"1s\" to \"1h\", such as \"30s\"."));
    }

    private static Refusal invalid(String detail) {
        return new Refusal(ProblemKind.INVALID_LEASE, detail);
    }
}
