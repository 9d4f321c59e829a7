package dev.soloist.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/** The OpenAPI document as a judge: which answers it allows, and which of them were seen. */
final class Document {

    private final Map<String, Object> root;
    private final Set<String> seen = new TreeSet<>();

    Document() {
        root = new Yaml().load(new String(OpenApiDocument.read().body(), StandardCharsets.UTF_8));
    }

    /** {@code operationId status} for everything that is documented. */
    Set<String> documented() {
        var all = new TreeSet<String>();
        operations()
                .forEach((id, operation) ->
                        map(operation, "responses").keySet().forEach(status -> all.add(id + " " + status)));
        return all;
    }

    Set<String> seen() {
        return seen;
    }

    /** Methods and path templates by operation id. */
    Map<String, String> routes() {
        var routes = new HashMap<String, String>();
        map(root, "paths")
                .forEach((path, item) -> asMap(item).forEach((method, operation) -> {
                    if (!method.equals("parameters")) {
                        routes.put(
                                String.valueOf(asMap(operation).get("operationId")),
                                method.toUpperCase(Locale.ROOT) + " " + path);
                    }
                }));
        return routes;
    }

    /** Fails unless the document allows this answer of this operation, and notes that it was seen. */
    HttpResponse<String> check(Operation operation, HttpResponse<String> answer) {
        var key = operation.id() + " " + answer.statusCode();
        var responses = map(operations().get(operation.id()), "responses");
        assertThat(responses)
                .as("%s answered: %s", key, answer.body())
                .containsKey(String.valueOf(answer.statusCode()));
        var response = resolve(responses.get(String.valueOf(answer.statusCode())));
        map(response, "headers")
                .forEach((name, header) ->
                        assertThat(answer.headers().firstValue(name)).as(name).isPresent());
        var content = map(response, "content");
        if (content.isEmpty()) {
            assertThat(answer.body()).as(key).isEmpty();
        } else {
            var type = answer.headers().firstValue("Content-Type").orElse("none");
            assertThat(content).as(key).containsKey(type);
            var problem = mismatch(new Yaml().load(answer.body()), map(asMap(content.get(type)), "schema"), "body");
            assertThat(problem).as("%s: %s", key, answer.body()).isNull();
        }
        seen.add(key);
        return answer;
    }

    private Map<String, Map<String, Object>> operations() {
        var operations = new HashMap<String, Map<String, Object>>();
        map(root, "paths")
                .values()
                .forEach(item -> asMap(item).forEach((method, operation) -> {
                    if (!method.equals("parameters")) {
                        operations.put(String.valueOf(asMap(operation).get("operationId")), asMap(operation));
                    }
                }));
        return operations;
    }

    private @Nullable String mismatch(@Nullable Object value, Map<String, Object> unresolved, String at) {
        var schema = resolve(unresolved);
        if (schema.get("oneOf") instanceof List<?> options) {
            long fitting = options.stream()
                    .filter(option -> mismatch(value, asMap(option), at) == null)
                    .count();
            return fitting == 1 ? null : at + " fits " + fitting + " of the alternatives";
        }
        if (schema.get("enum") instanceof List<?> allowed && !allowed.contains(value)) {
            return at + " is " + value + ", not one of " + allowed;
        }
        return switch (String.valueOf(schema.get("type"))) {
            case "object" -> object(value, schema, at);
            case "array" -> array(value, schema, at);
            case "string" -> value instanceof String || value instanceof Date ? null : at + " is no text: " + value;
            case "integer" -> value instanceof Integer || value instanceof Long ? null : at + " is no integer";
            case "boolean" -> value instanceof Boolean ? null : at + " is no boolean";
            default -> null;
        };
    }

    private @Nullable String object(@Nullable Object value, Map<String, Object> schema, String at) {
        if (!(value instanceof Map<?, ?>)) {
            return at + " is no object";
        }
        var object = asMap(value);
        if (schema.get("required") instanceof List<?> required
                && !object.keySet().containsAll(required)) {
            return at + " lacks one of " + required;
        }
        var properties = map(schema, "properties");
        for (var member : object.entrySet()) {
            if (Boolean.FALSE.equals(schema.get("additionalProperties")) && !properties.containsKey(member.getKey())) {
                return at + " has the undocumented member " + member.getKey();
            }
            var problem = mismatch(member.getValue(), map(properties, member.getKey()), at + "." + member.getKey());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String array(@Nullable Object value, Map<String, Object> schema, String at) {
        if (!(value instanceof List<?> list)) {
            return at + " is no array";
        }
        for (int i = 0; i < list.size(); i++) {
            var problem = mismatch(list.get(i), map(schema, "items"), at + "[" + i + "]");
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private Map<String, Object> resolve(@Nullable Object node) {
        var found = asMap(node);
        if (found.get("$ref") instanceof String ref) {
            var target = root;
            for (var step : ref.substring(2).split("/", -1)) {
                target = map(target, step);
            }
            return target;
        }
        return found;
    }

    private static Map<String, Object> map(@Nullable Map<String, Object> parent, String name) {
        return parent == null || parent.get(name) == null ? Map.of() : asMap(parent.get(name));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(@Nullable Object node) {
        return node instanceof Map<?, ?> ? (Map<String, Object>) node : Map.of();
    }
}
