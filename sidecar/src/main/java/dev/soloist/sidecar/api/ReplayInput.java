package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.sidecar.json.Rfc3339;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The body of a replay: {@code {"from": …, "until": …}}.
 *
 * @param until null for the present
 */
record ReplayInput(Instant from, @Nullable Instant until) {

    static ReplayInput read(byte[] body) throws Refusal {
        return Documents.read(body, parser -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new Refusal(ProblemKind.INVALID_REQUEST, "The body is a JSON object with from.");
            }
            @Nullable Instant from = null;
            @Nullable Instant until = null;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                var name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "from" -> from = instant(name, Members.text(name, parser));
                    case "until" -> until = instant(name, Members.text(name, parser));
                    default -> throw Members.unknown(name, "from, until");
                }
            }
            if (from == null) {
                throw new Refusal(ProblemKind.INVALID_REQUEST, "Say from when on tasks are to be handled again: from.");
            }
            if (until != null && until.isBefore(from)) {
                throw new Refusal(ProblemKind.INVALID_REQUEST, "until must not be before from.");
            }
            return new ReplayInput(from, until);
        });
    }

    private static Instant instant(String name, String text) throws Refusal {
        return Rfc3339.parse(text)
                .filter(instant -> instant.toEpochMilli() >= 0)
                .orElseThrow(() -> new Refusal(
                        ProblemKind.INVALID_REQUEST,
                        name + " must be an RFC 3339 instant since 1970, such as \"2026-01-31T08:00:00Z\"."));
    }
}
