package dev.soloist.sidecar.api;

import dev.soloist.coordination.singleton.Fence;
import dev.soloist.sidecar.http.Request;
import dev.soloist.sidecar.token.LocalToken;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;

/** One request as the API judges it: token first, then path and method, then type and body. */
final class Exchange {

    private static final int MAX_KEY = 256;
    private static final Pattern FENCE = Pattern.compile("[0-9]{10}-[0-9]{16}");

    private final Request http;

    Exchange(Request http) {
        this.http = http;
    }

    void requireToken(LocalToken token) throws Refusal {
        var header = http.header("Authorization");
        if (header == null || !token.matches(header)) {
            throw new Refusal(
                    ProblemKind.UNAUTHORIZED,
                    "Send \"Authorization: Bearer …\" with the content of the file that SOLOIST_TOKEN_FILE names.",
                    Map.of("WWW-Authenticate", "Bearer"));
        }
    }

    Route route() throws Refusal {
        // The raw text of the request line: nothing may be decoded or normalised before the path is cut at its slashes.
        var target = http.target();
        if (target.indexOf('#') >= 0) {
            throw new Refusal(ProblemKind.INVALID_REQUEST, "Write # in an id as %23.");
        }
        int query = target.indexOf('?');
        return query < 0
                ? Route.of(http.method(), target)
                : Route.of(http.method(), target.substring(0, query)).withQuery(target.substring(query + 1));
    }

    byte[] body() throws IOException, Refusal {
        var type = http.header("Content-Type");
        if (type == null || !MediaTypes.isJson(type)) {
            throw new Refusal(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE, "Send the header \"Content-Type: application/json\".");
        }
        return RequestBody.read(http.body());
    }

    /** The fence of the lease that is meant. */
    Fence fence() throws Refusal {
        var text = http.header("Soloist-Fence");
        if (text == null || !FENCE.matcher(text).matches()) {
            throw new Refusal(
                    ProblemKind.INVALID_REQUEST,
                    "Say which lease is meant: send the header Soloist-Fence with the fence that it was given with.");
        }
        return Fence.parse(text);
    }

    /** The caller's own name for its request, or an empty text. */
    String idempotencyKey() throws Refusal {
        var key = http.header("Idempotency-Key");
        if (key == null) {
            return "";
        }
        if (key.isBlank() || key.length() > MAX_KEY) {
            throw new Refusal(ProblemKind.INVALID_REQUEST, "An Idempotency-Key has 1 to " + MAX_KEY + " characters.");
        }
        return key;
    }
}
