package dev.soloist.coordination.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every Lua file keeps its word: its header is what its code does and what its Java side sends. */
class ScriptHeaderTest {
    private static final List<String> FIELDS =
            List.of("Purpose", "KEYS", "ARGV", "Returns", "Atomic", "Repeat", "Time", "Cost");

    /** What the generated ACL user of a sidecar may do from inside a script. */
    private static final Set<String> READS = Set.of(
            "TIME",
            "GET",
            "EXISTS",
            "PTTL",
            "HEXISTS",
            "HGET",
            "HMGET",
            "HLEN",
            "HGETALL",
            "ZSCORE",
            "ZRANGE",
            "ZCARD",
            "LLEN",
            "LRANGE",
            "PUBLISH",
            "XLEN",
            "XRANGE",
            "XREVRANGE",
            "XPENDING",
            "XINFO");

    /** What only the operator's user may do: it alone runs the repair. */
    private static final Set<String> READS_OF_REPAIR = Set.of("HSCAN");

    private static final Set<String> WRITES_WITHOUT_MEMORY =
            Set.of("DEL", "HDEL", "ZREM", "ZREMRANGEBYRANK", "LPOP", "PEXPIRE", "XACK", "XDEL", "XCLAIM", "XTRIM");

    private static final Set<String> OTHER_WRITES =
            Set.of("SET", "HSET", "ZADD", "RPUSH", "XADD", "XREADGROUP", "XGROUP");

    private static final Map<String, String> FILES = ScriptsOnClassPath.files();
    private static final List<LuaScript> CONSTANTS = ScriptsOnClassPath.constants();

    static Stream<String> files() {
        return FILES.keySet().stream();
    }

    private static LuaHeader header(String file) {
        return LuaHeader.of(FILES.get(file));
    }

    @Test
    void everyFileHasItsOneConstant() {
        assertThat(CONSTANTS).extracting(LuaScript::name).containsExactlyInAnyOrderElementsOf(FILES.keySet());
    }

    @ParameterizedTest
    @MethodSource("files")
    void theFieldsStandInOrder(String file) {
        assertThat(header(file).fields().keySet()).containsExactlyElementsOf(FIELDS);
    }

    @ParameterizedTest
    @MethodSource("files")
    void keysAndArgumentsListedAreThoseUsedAndThoseSent(String file) {
        LuaHeader header = header(file);
        LuaScript script = CONSTANTS.stream()
                .filter(constant -> constant.name().equals(file))
                .findFirst()
                .orElseThrow();
        agree(header, "KEYS", script.keys());
        agree(header, "ARGV", script.arguments());
    }

    private static void agree(LuaHeader header, String array, int sent) {
        List<Integer> listed = header.listed(array);
        boolean open = header.isOpen(array);
        assertThat(header.unread(array))
                .as("%s is a list of: number name (what)", array)
                .isEmpty();
        assertThat(listed)
                .isEqualTo(IntStream.rangeClosed(1, listed.size()).boxed().toList());
        Set<Integer> used = new TreeSet<>(header.used(array));
        if (open) {
            used.removeIf(index -> index >= listed.size());
            used.add(listed.size());
        }
        assertThat(used).as("%s in the code", array).containsExactlyElementsOf(listed);
        assertThat(header.usesComputed(array))
                .as("%s by computed number", array)
                .isEqualTo(open);
        assertThat(sent).as("%s sent by Java", array).isEqualTo(open ? LuaScript.ANY : listed.size());
    }

    @ParameterizedTest
    @MethodSource("files")
    void onlyCommandsThatTheUserMayCallOccur(String file) {
        LuaHeader header = header(file);
        assertThat(header.calls())
                .as("every command is a literal")
                .isEqualTo(header.commands().size());
        assertThat(header.commands())
                .allMatch(command -> READS.contains(command)
                        || (file.contains("/repair_") || file.contains("/stream/")) && READS_OF_REPAIR.contains(command)
                        || WRITES_WITHOUT_MEMORY.contains(command)
                        || OTHER_WRITES.contains(command));
    }

    @ParameterizedTest
    @MethodSource("files")
    void timeIsReadOnceAtMostAndTheHeaderSaysSo(String file) {
        LuaHeader header = header(file);
        long times = header.commands().stream().filter("TIME"::equals).count();
        assertThat(times).isLessThanOrEqualTo(1);
        assertThat(header.field("Time")).startsWith(times == 1 ? "TIME" : "none");
    }

    @ParameterizedTest
    @MethodSource("files")
    void theFirstWriteNeedsNoMemorySoThatAFullServerCanDrain(String file) {
        List<String> writes = header(file).commands().stream()
                .filter(command -> !READS.contains(command) && !READS_OF_REPAIR.contains(command))
                .toList();
        if (!file.endsWith("/enqueue.lua") && !file.endsWith("/replay.lua") && !writes.isEmpty()) {
            assertThat(WRITES_WITHOUT_MEMORY).contains(writes.getFirst());
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void noKeyIsBuiltInLua(String file) {
        assertThat(header(file).code()).doesNotContainPattern("KEYS\\[\\d+]\\s*\\.\\.");
    }
}
