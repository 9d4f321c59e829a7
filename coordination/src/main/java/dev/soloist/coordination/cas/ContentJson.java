package dev.soloist.coordination.cas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.soloist.coordination.link.ScriptFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes of a {@link Content}: JSON as in docs/wire-format.md. Texts stand as they are; bytes that are not UTF-8 stand
 * in base64, in an array of one. A string of another format is refused, never overwritten. Stateless.
 */
final class ContentJson {

    private static final int FORMAT = 1;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ContentJson() {}

    static byte[] write(Content content) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("cas", FORMAT).put("ver", content.version()).put("write", content.write());
        ObjectNode keys = json.putObject("keys");
        content.keys().forEach((name, stored) -> write(stored, keys.putArray(name)));
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads it back.
     *
     * @throws ScriptFailed if these bytes are not of this format
     */
    static Content read(String key, byte[] bytes) {
        try {
            JsonNode json = MAPPER.readTree(bytes);
            if (json.path("cas").asInt() != FORMAT) {
                throw new ScriptFailed("ERR " + key + " is not of format " + FORMAT + "; it is left as it is");
            }
            Map<String, Stored> keys = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : json.path("keys").properties()) {
                keys.put(entry.getKey(), stored(entry.getValue()));
            }
            return new Content(json.path("ver").asLong(), json.path("write").asText(), keys);
        } catch (IOException | IllegalArgumentException e) {
            throw new ScriptFailed("ERR " + key + " cannot be read; it is left as it is: " + e.getMessage());
        }
    }

    private static void write(Stored stored, ArrayNode json) {
        switch (stored.value()) {
            case Value.Text(String content) -> text(json.add("string").add(stored.endsAt()), content);
            case Value.Hash(Map<String, String> fields) -> {
                json.add("hash").add(stored.endsAt());
                fields.forEach((name, value) -> text(text(json, name), value));
            }
            case Value.Sequence list -> {
                json.add("list").add(stored.endsAt());
                list.elements().forEach(element -> text(json, element));
            }
            case Value.Scored set -> {
                json.add("zset").add(stored.endsAt());
                set.inOrder().forEach(member -> text(json, member).add(Arguments.text(set.score(member))));
            }
        }
    }

    private static Stored stored(JsonNode json) {
        String kind = json.path(0).asText();
        Value value = switch (kind) {
            case "string" -> new Value.Text(text(json.path(2)));
            case "hash" -> {
                var hash = new Value.Hash();
                for (int i = 2; i + 1 < json.size(); i += 2) {
                    hash.fields().put(text(json.path(i)), text(json.path(i + 1)));
                }
                yield hash;
            }
            case "list" -> {
                var list = new Value.Sequence();
                for (int i = 2; i < json.size(); i++) {
                    list.elements().add(text(json.path(i)));
                }
                yield list;
            }
            case "zset" -> {
                var set = new Value.Scored();
                for (int i = 2; i + 1 < json.size(); i += 2) {
                    set.scores().put(text(json.path(i)), Double.valueOf(text(json.path(i + 1))));
                }
                yield set;
            }
            default -> throw new IllegalArgumentException("a value of the unknown kind '" + kind + "'");
        };
        return new Stored(value, json.path(1).asLong());
    }

    private static ArrayNode text(ArrayNode json, String latin) {
        byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
        try {
            return json.add(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            json.addArray().add(Base64.getEncoder().encodeToString(bytes));
            return json;
        }
    }

    private static String text(JsonNode json) {
        byte[] bytes = json.isArray()
                ? Base64.getDecoder().decode(json.path(0).asText())
                : json.asText().getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
