package dev.soloist.sidecar.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.soloist.sidecar.json.InvalidJson;
import dev.soloist.sidecar.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads a body that must be one JSON document and nothing after it. */
final class Documents {

    private Documents() {}

    /** Reads from a parser that stands on the first token. */
    @FunctionalInterface
    interface Reader<T> {
        T read(JsonParser parser) throws IOException, Refusal;
    }

    static <T> T read(byte[] body, Reader<T> reader) throws Refusal {
        try (var parser = StrictJson.parser(body)) {
            if (parser.nextToken() == null) {
                throw new Refusal(ProblemKind.MALFORMED_JSON, "The body is empty.");
            }
            var result = reader.read(parser);
            if (parser.nextToken() != null) {
                throw new Refusal(ProblemKind.MALFORMED_JSON, "There is text after the end of the JSON document.");
            }
            return result;
        } catch (InvalidJson invalid) {
            throw new Refusal(ProblemKind.MALFORMED_JSON, sentence(invalid));
        } catch (JsonProcessingException malformed) {
            throw new Refusal(ProblemKind.MALFORMED_JSON, describe(malformed));
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
    }

    private static String sentence(InvalidJson invalid) {
        return String.valueOf(invalid.getMessage());
    }

    private static String describe(JsonProcessingException malformed) {
        var at = malformed.getLocation();
        var where = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return malformed.getOriginalMessage() + where + ".";
    }
}
