package dev.soloist.coordination.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a Lua file says of itself in its first lines, and what its code really does. */
record LuaHeader(Map<String, String> fields, String code) {
    private static final Pattern FIELD = Pattern.compile("-- (\\w+): (.*)");
    private static final Pattern ITEM = Pattern.compile("(?:^|, )(\\d+)(\\.\\.)? [^(]*\\([^)]*\\)");
    private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\(\\s*'([A-Z]+)'");
    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\(");

    static LuaHeader of(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        List<String> code = new ArrayList<>();
        String last = "";
        for (String line : text.lines().toList()) {
            Matcher field = FIELD.matcher(line);
            if (code.isEmpty() && line.startsWith("--   ") && !last.isEmpty()) {
                fields.merge(last, line.substring(5).strip(), (before, more) -> before + " " + more);
            } else if (code.isEmpty() && field.matches()) {
                last = field.group(1);
                fields.put(last, field.group(2).strip());
            } else {
                code.add(line.replaceFirst("--.*$", ""));
            }
        }
        return new LuaHeader(fields, String.join("\n", code));
    }

    String field(String name) {
        return fields.getOrDefault(name, "");
    }

    /** The numbers listed, in order. */
    List<Integer> listed(String field) {
        return items(field).stream()
                .map(item -> Integer.valueOf(item.replace("..", "")))
                .toList();
    }

    /** Whether the last one stands for as many as there are. */
    boolean isOpen(String field) {
        return items(field).stream().anyMatch(item -> item.endsWith(".."));
    }

    /** What is left of a list when its items are taken out: nothing, if it is well formed. */
    String unread(String field) {
        return field(field).equals("none")
                ? ""
                : ITEM.matcher(field(field)).replaceAll("").strip();
    }

    /** The numbers that the code names. */
    Set<Integer> used(String array) {
        Matcher index = Pattern.compile("\\b" + array + "\\[(\\d+)]").matcher(code);
        return index.results()
                .map(match -> Integer.valueOf(match.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the code reaches elements whose number it computes. */
    boolean usesComputed(String array) {
        return Pattern.compile("\\b" + array + "\\[[^\\d\\]]|#" + array + "\\b|\\(" + array + "[,)]")
                .matcher(code)
                .find();
    }

    /** The Redis commands, in the order of the text. */
    List<String> commands() {
        return COMMAND.matcher(code).results().map(match -> match.group(1)).toList();
    }

    /** All calls, also those whose command is not a literal. */
    long calls() {
        return CALL.matcher(code).results().count();
    }

    private List<String> items(String field) {
        return ITEM.matcher(field(field))
                .results()
                .map(match -> match.group(1) + (match.group(2) == null ? "" : ".."))
                .toList();
    }
}
