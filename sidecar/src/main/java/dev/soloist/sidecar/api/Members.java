package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Checks that every reader of an object makes. */
final class Members {

    private Members() {}

    static String text(String name, JsonParser parser) throws IOException, Refusal {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new Refusal(ProblemKind.INVALID_TASK, name + " must be a text.");
        }
        return parser.getText();
    }

    static Refusal unknown(String name, String known) {
        var shown = name.length() > 40 ? name.substring(0, 40) + "…" : name;
        return new Refusal(ProblemKind.INVALID_TASK, "Unknown member \"" + shown + "\"; there are " + known + ".");
    }
}
