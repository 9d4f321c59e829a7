package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * An RFC 9457 problem.
 *
 * @param kind stable type and title
 * @param detail what was wrong this time and what to do, one or two sentences
 */
record Problem(ProblemKind kind, String detail) {

    static final String CONTENT_TYPE = "application/problem+json";

    /** Writes the members into an object that is already open. */
    void writeMembers(JsonGenerator json) throws IOException {
        json.writeStringField("type", kind.type());
        json.writeStringField("title", kind.title());
        json.writeNumberField("status", kind.status());
        json.writeStringField("detail", detail);
    }
}
