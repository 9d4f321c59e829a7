package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonToken;
import dev.soloist.coordination.delayed.When;
import org.jspecify.annotations.Nullable;

/** The body of a reschedule call: {@code {"delay": …}} or {@code {"runAt": …}}. */
final class RescheduleInput {

    private RescheduleInput() {}

    static When read(byte[] body) throws Refusal {
        return Documents.read(body, parser -> {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new Refusal(ProblemKind.INVALID_TASK, "The body is a JSON object with delay or runAt.");
            }
            @Nullable String delay = null;
            @Nullable String runAt = null;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                var name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "delay" -> delay = Members.text(name, parser);
                    case "runAt" -> runAt = Members.text(name, parser);
                    default -> throw Members.unknown(name, "delay, runAt");
                }
            }
            return Due.of(delay, runAt);
        });
    }
}
