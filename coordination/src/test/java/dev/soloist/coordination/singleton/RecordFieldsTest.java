package dev.soloist.coordination.singleton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.soloist.coordination.script.ScriptsOnClassPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whoever gives the record a new field has to say what becomes of it when the job moves. */
class RecordFieldsTest {

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\(\\s*'(HM?GET|HSET|HDEL|HEXISTS)',\\s*rec,");
    private static final Pattern NAME = Pattern.compile("'(\\w+)'");

    @Test
    void everyFieldThatAScriptNamesIsJudged() {
        Set<String> named = new TreeSet<>();
        ScriptsOnClassPath.files().forEach((file, text) -> {
            if (file.contains("/singleton/")) {
                named.addAll(fields(text.replaceAll("--[^\\n]*", "")));
            }
        });

        assertThat(named).containsExactlyInAnyOrderElementsOf(RecordFields.ALL.keySet());
    }

    private static List<String> fields(String code) {
        List<String> fields = new ArrayList<>();
        CALL.matcher(code).results().forEach(call -> {
            var arguments = arguments(code.substring(call.end()));
            // A field and its value in turn, or fields only.
            int step = call.group(1).equals("HSET") ? 2 : 1;
            for (int i = 0; i < arguments.size(); i += step) {
                var name = NAME.matcher(arguments.get(i));
                if (name.matches()) {
                    fields.add(name.group(1));
                }
            }
        });
        return fields;
    }

    /** Up to the closing bracket, cut at the commas that stand in no bracket and in no text. */
    private static List<String> arguments(String code) {
        List<String> found = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        boolean quoted = false;
        for (int i = 0; i < code.length(); i++) {
            char at = code.charAt(i);
            quoted ^= at == '\'';
            if (!quoted && (at == '(' || at == '[' || at == '{')) {
                depth++;
            } else if (!quoted && (at == ')' || at == ']' || at == '}')) {
                depth--;
            }
            if (depth < 0 || (!quoted && depth == 0 && at == ',')) {
                found.add(code.substring(begin, i).strip());
                begin = i + 1;
            }
            if (depth < 0) {
                break;
            }
        }
        return found;
    }
}
