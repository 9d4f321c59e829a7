package dev.soloist.coordination.link;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the first key stands in a command that is no script. Pure. */
final class CommandKeys {

    private static final Set<String> WITHOUT = Set.of(
            "ACL",
            "ASKING",
            "AUTH",
            "BGREWRITEAOF",
            "BGSAVE",
            "CLIENT",
            "CLUSTER",
            "COMMAND",
            "CONFIG",
            "DBSIZE",
            "DEBUG",
            "ECHO",
            "FAILOVER",
            "FLUSHALL",
            "FLUSHDB",
            "FUNCTION",
            "HELLO",
            "INFO",
            "KEYS",
            "LASTSAVE",
            "LATENCY",
            "LOLWUT",
            "MODULE",
            "PING",
            "PUBLISH",
            "PUBSUB",
            "RANDOMKEY",
            "READONLY",
            "READWRITE",
            "REPLICAOF",
            "ROLE",
            "SAVE",
            "SCAN",
            "SCRIPT",
            "SELECT",
            "SENTINEL",
            "SHUTDOWN",
            "SLAVEOF",
            "SLOWLOG",
            "TIME",
            "WAIT",
            "WAITAOF");

    /** The first argument is a word of the command, the second the key. */
    private static final Set<String> SECOND = Set.of("MEMORY", "OBJECT", "XGROUP", "XINFO");

    private CommandKeys() {}

    static @Nullable String first(String command, String... arguments) {
        String word = command.toUpperCase(Locale.ROOT);
        int at = SECOND.contains(word) ? 1 : 0;
        return WITHOUT.contains(word) || arguments.length <= at ? null : arguments[at];
    }
}
