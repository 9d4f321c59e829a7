package dev.soloist.coordination.testkit;

import dev.soloist.coordination.link.RedisLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The users of docs/operations.md. With the system property {@code soloist.acl=sidecar} or {@code operator} every server that tests start
 * lets its default user do exactly what that user may, on all of our keys: then whole suites run under the documented rules.
 */
public final class DocumentedUser {

    /** What is asked for, or empty. */
    public static final String ROLE = System.getProperty("soloist.acl", "");

    private static final Map<String, String> TITLES = Map.of(
            "operator", "# the operator",
            "sidecar", "# a namespace's sidecars",
            "sentinel", "# operator and sidecars at the Sentinels");

    /** What no product code sends: tests look and break with these. */
    private static final List<String> OF_TESTS = List.of(
            "config|set",
            "config|get",
            "config|resetstat",
            "config|rewrite",
            "script|flush",
            "script|load",
            "slowlog",
            "persist",
            "flushall",
            "type",
            "memory|usage",
            "lrem",
            "keys",
            "dbsize",
            "ltrim",
            "zincrby",
            "hincrby",
            "incr",
            "client|kill",
            "client|list",
            "client|pause",
            "client|unpause",
            "debug",
            "shutdown",
            "replicaof",
            "acl",
            "monitor");

    private DocumentedUser() {}

    /** The documented rules of a role, for {@code ACL SETUSER NAME}, with the given password. */
    public static List<String> rules(String role, String password) {
        var lines = read();
        int title = lines.indexOf(TITLES.get(role));
        if (title < 0) {
            throw new IllegalStateException("docs/operations.md has no rules for '" + role + "'");
        }
        var words = Arrays.asList(lines.get(title + 1).split(" "));
        return words.subList(3, words.size()).stream()
                .map(rule -> rule.equals(">PASSWORD") ? ">" + password : rule)
                .toList();
    }

    /** Makes the default user what {@link #ROLE} says, and another one for {@link #refusals}. */
    static void impose(RedisLink link) {
        link.call("ACL", "SETUSER", "tests", "reset", "on", ">tests", "~*", "&*", "+@all");
        var rules = new ArrayList<>(List.of("SETUSER", "default"));
        rules(ROLE, "").stream()
                .map(rule -> rule.equals(">") ? "nopass" : rule)
                .filter(rule -> !rule.startsWith("~") && !rule.startsWith("&"))
                .forEach(rules::add);
        rules.addAll(List.of("~soloist:*", "&soloist:*"));
        OF_TESTS.forEach(command -> rules.add("+" + command));
        link.call("ACL", rules.toArray(String[]::new));
    }

    /** What the server has refused for want of rights, as text; empty if nothing. Wrong passwords are not meant. */
    public static String refusals(RedisLink link) {
        return link.call("ACL", "LOG").stream()
                .map(DocumentedUser::text)
                .filter(entry -> !entry.contains("reason, auth"))
                .collect(Collectors.joining("\n"));
    }

    private static String text(Object reply) {
        return switch (reply) {
            case List<?> list when list.isEmpty() -> "";
            case List<?> list ->
                list.stream().map(DocumentedUser::text).toList().toString();
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            default -> String.valueOf(reply);
        };
    }

    private static List<String> read() {
        try {
            return Files.readAllLines(Path.of("../docs/operations.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
