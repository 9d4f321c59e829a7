package dev.soloist.coordination.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One script as the server carried it out.
 *
 * @param script family and verb, such as {@code singleton/claim}
 * @param keys as declared
 * @param args as given
 * @param commands that the script sent, reads and writes
 */
record ScriptCall(long at, String script, List<String> keys, List<String> args, List<List<String>> commands) {

    ScriptCall(long at, String script, List<String> keys, List<String> args) {
        this(at, script, keys, args, new ArrayList<>());
    }

    ScriptCall at(long moment) {
        return new ScriptCall(moment, script, keys, args, commands);
    }

    /** {@code shop/mails} of the hash tag that all keys share, or of the namespace's tag and what follows it. */
    String job() {
        String key = keys.getFirst();
        String tag = key.substring(key.indexOf('{') + 1, key.indexOf('}'));
        String[] parts = tag.split("/", -1);
        if (parts.length > 1) {
            return parts[0] + "/" + parts[1];
        }
        String[] rest = key.substring(key.indexOf('}')).split(":", -1);
        return tag + "/" + (rest.length > 2 ? rest[2] : args.getFirst());
    }

    String verb() {
        return script.substring(script.indexOf('/') + 1);
    }

    /** All commands of a name that touch a declared key, without name and key. */
    Stream<List<String>> on(int key, String command) {
        return commands.stream()
                .filter(words -> words.size() > 1
                        && words.getFirst().equalsIgnoreCase(command)
                        && words.get(1).equals(keys.get(key)))
                .map(words -> words.subList(2, words.size()));
    }

    /** Fields and values of all HSET on a key. */
    Map<String, String> written(int key) {
        var fields = new LinkedHashMap<String, String>();
        on(key, "HSET").forEach(pairs -> {
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                fields.put(pairs.get(i), pairs.get(i + 1));
            }
        });
        return fields;
    }

    /** Members and scores of all ZADD on a key; options are skipped. */
    Map<String, Long> scored(int key) {
        var members = new LinkedHashMap<String, Long>();
        on(key, "ZADD").forEach(words -> {
            int from = words.getFirst().matches("[A-Z]+") ? 1 : 0;
            for (int i = from; i + 1 < words.size(); i += 2) {
                members.put(words.get(i + 1), (long) Double.parseDouble(words.get(i)));
            }
        });
        return members;
    }

    /** Fields that all HDEL on a key name. */
    List<String> deleted(int key) {
        return on(key, "HDEL").flatMap(List::stream).toList();
    }
}
