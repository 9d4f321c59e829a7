package dev.soloist.e2e.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** JSON as it is kept in the repository: what fits on a line stays on one, the rest is indented by two spaces. Pure. */
final class JsonText {

    private static final int WIDTH = 120;

    private JsonText() {}

    static String of(JsonNode node) {
        return lines(node, 0) + "\n";
    }

    private static String lines(JsonNode node, int indent) {
        var line = line(node);
        if (!node.isContainerNode() || indent + line.length() <= WIDTH) {
            return line;
        }
        var inner = " ".repeat(indent + 2);
        List<String> parts = new ArrayList<>();
        if (node.isObject()) {
            node.properties()
                    .forEach(member -> parts.add(inner + name(member.getKey()) + lines(member.getValue(), indent + 2)));
        } else {
            node.forEach(element -> parts.add(inner + lines(element, indent + 2)));
        }
        return around(node, "\n" + String.join(",\n", parts) + "\n" + " ".repeat(indent));
    }

    private static String line(JsonNode node) {
        if (!node.isContainerNode() || node.isEmpty()) {
            return node.toString();
        }
        List<String> parts = new ArrayList<>();
        if (node.isObject()) {
            node.properties().forEach(member -> parts.add(name(member.getKey()) + line(member.getValue())));
        } else {
            node.forEach(element -> parts.add(line(element)));
        }
        return around(node, " " + String.join(", ", parts) + " ");
    }

    private static String name(String name) {
        return "\"" + name + "\": ";
    }

    private static String around(JsonNode container, String content) {
        return container.isObject() ? "{" + content + "}" : "[" + content + "]";
    }
}
