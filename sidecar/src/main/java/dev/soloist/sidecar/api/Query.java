package dev.soloist.sidecar.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The query parameters of one request, each known to its operation and given once. Immutable.
 *
 * @param values decoded, by name
 */
record Query(Map<String, String> values) {

    static final Query NONE = new Query(Map.of());

    /** Reads what stands behind the question mark. */
    static Query of(String raw, Set<String> known) throws Refusal {
        var values = new LinkedHashMap<String, String>();
        for (var pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            var name = equals < 0 ? pair : pair.substring(0, equals);
            if (!known.contains(name)) {
                throw new Refusal(
                        ProblemKind.INVALID_REQUEST,
                        (known.isEmpty()
                                        ? "This call has no query parameters"
                                        : "This call knows the query parameters "
                                                + String.join(
                                                        ", ",
                                                        known.stream().sorted().toList()))
                                + "; write ? and # in an id as %3F and %23.");
            }
            if (values.put(name, decode(equals < 0 ? "" : pair.substring(equals + 1))) != null) {
                throw new Refusal(ProblemKind.INVALID_REQUEST, "The query parameter " + name + " is given twice.");
            }
        }
        return new Query(Map.copyOf(values));
    }

    /** A whole number within bounds, or what counts when it is absent. */
    int number(String name, int absent, int min, int max) throws Refusal {
        var text = values.get(name);
        if (text == null) {
            return absent;
        }
        if (text.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new Refusal(
                ProblemKind.INVALID_REQUEST,
                "The query parameter " + name + " is a whole number from " + min + " to " + max + ".");
    }

    /** A text, or an empty one when it is absent. */
    String text(String name) {
        return values.getOrDefault(name, "");
    }

    private static String decode(String piece) throws Refusal {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(PathSegments.decode(piece)))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw new Refusal(ProblemKind.INVALID_REQUEST, "A query parameter is not UTF-8.");
        }
    }
}
