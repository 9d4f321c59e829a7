package dev.soloist.sidecar.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The one JSON factory: duplicate names, deep nesting, bad UTF-8 and endless numbers are refused. Thread-safe. */
public final class StrictJson {

    /** Deeper than any honest payload, far below what would exhaust a stack. */
    static final int MAX_DEPTH = 64;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(1000)
                    .maxNameLength(1000)
                    .build())
            .build();

    private StrictJson() {}

    /** A parser over bytes that are proven to be UTF-8. */
    public static JsonParser parser(byte[] json) throws InvalidJson, IOException {
        requireUtf8(json);
        return FACTORY.createParser(json);
    }

    private static void requireUtf8(byte[] bytes) throws InvalidJson {
        for (byte b : bytes) {
            if (b == 0) {
                // Never in JSON as UTF-8; in UTF-16 and UTF-32, which the parser would recognise and read, it is.
                throw new InvalidJson("The body is not UTF-8.");
            }
        }
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException notUtf8) {
            throw new InvalidJson("The body is not UTF-8.");
        }
    }

    /** Writes one document into memory. */
    public static byte[] write(Body body) {
        var out = new ByteArrayOutputStream(256);
        try (var generator = FACTORY.createGenerator(out)) {
            body.writeTo(generator);
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
        return out.toByteArray();
    }

    /** What is written. */
    @FunctionalInterface
    public interface Body {
        void writeTo(JsonGenerator json) throws IOException;
    }
}
