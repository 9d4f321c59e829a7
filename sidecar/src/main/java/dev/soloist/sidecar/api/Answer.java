package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.soloist.sidecar.http.Response;
import dev.soloist.sidecar.json.StrictJson;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** One HTTP answer, whole in memory. */
final class Answer {

    private final int status;
    private final String contentType;
    private final Map<String, String> headers;
    private final byte[] body;

    Answer(int status, String contentType, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.contentType = contentType;
        this.headers = headers;
        this.body = body;
    }

    int status() {
        return status;
    }

    byte[] body() {
        return body;
    }

    /** What a caller should wait before it asks again while the store is away. */
    private static final Map<String, String> RETRY_SOON = Map.of("Retry-After", "1");

    /** As it goes on the wire. */
    Response toResponse() {
        var all = new LinkedHashMap<>(headers);
        all.put("Cache-Control", "no-store");
        if (body.length > 0) {
            all.put("Content-Type", contentType);
        }
        return new Response(status, all, body);
    }

    static Answer json(int status, StrictJson.Body body) {
        return new Answer(status, "application/json", Map.of(), StrictJson.write(body));
    }

    static Answer empty(int status) {
        return new Answer(status, "", Map.of(), new byte[0]);
    }

    static Answer problem(Problem problem) {
        return problem(problem, problem.kind().status() == 503 ? RETRY_SOON : Map.of());
    }

    static Answer problem(Problem problem, Map<String, String> headers) {
        return new Answer(
                problem.kind().status(), Problem.CONTENT_TYPE, headers, StrictJson.write(json -> write(problem, json)));
    }

    private static void write(Problem problem, JsonGenerator json) throws IOException {
        json.writeStartObject();
        problem.writeMembers(json);
        json.writeEndObject();
    }
}
