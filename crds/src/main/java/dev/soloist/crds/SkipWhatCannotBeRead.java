package dev.soloist.crds;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads a value of the wrong kind as absent. An API server admits none, but one may be left from before a schema
/// existed, and it must not stop the reader of all others. What is required is then missed by the rules.
final class SkipWhatCannotBeRead extends DeserializationProblemHandler {

    @Override
    public @Nullable Object handleUnexpectedToken(
            DeserializationContext context, JavaType type, JsonToken token, JsonParser parser, String message)
            throws IOException {
        parser.skipChildren();
        return null;
    }

    @Override
    public @Nullable Object handleMissingInstantiator(
            DeserializationContext context, Class<?> type, ValueInstantiator maker, JsonParser parser, String message)
            throws IOException {
        parser.skipChildren();
        return null;
    }

    @Override
    public @Nullable Object handleWeirdStringValue(
            DeserializationContext context, Class<?> type, String value, String message) {
        return null;
    }

    @Override
    public @Nullable Object handleWeirdNumberValue(
            DeserializationContext context, Class<?> type, Number value, String message) {
        return null;
    }
}
