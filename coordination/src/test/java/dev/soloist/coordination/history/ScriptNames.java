package dev.soloist.coordination.history;

import dev.soloist.coordination.delayed.DelayedQueue;
import dev.soloist.coordination.delayed.stream.TaskStream;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.lease.Leases;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.singleton.SingletonStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Which script a digest or a text belongs to. Immutable. */
public final class ScriptNames {

    private static final Map<Class<?>, List<String>> FILES = Map.of(
            SingletonStore.class,
            List.of(
                    "claim",
                    "delete",
                    "finish",
                    "move_away",
                    "promote",
                    "reclaim",
                    "release",
                    "renew",
                    "resume",
                    "seed",
                    "suspend",
                    "term",
                    "trigger_now",
                    "update_spec",
                    "watch"),
            DelayedQueue.class,
            List.of("ack", "cancel", "enqueue", "extend", "nack", "purge", "requeue", "reschedule", "reserve", "sweep"),
            Leases.class,
            List.of("acquire", "release", "renew", "revoke"),
            Instances.class,
            List.of("adopt", "drop", "fence", "heartbeat", "leave", "register"));

    /** What stands before a script of a job whose lease is in the hash of its namespace. */
    private static final String HASH = LuaScript.text(SingletonStore.class, "hash_lock.prelude");

    private static final Map<String, Integer> AROUND = Map.of("reserve", 4, "ack", 2, "nack", 2);

    private final Map<String, String> bySha = new HashMap<>();
    private final Map<String, String> byText = new HashMap<>();

    /** Names of the scripts as they are. */
    public ScriptNames() {
        this(UnaryOperator.identity());
    }

    /** Names of the scripts as something changes them. */
    public ScriptNames(UnaryOperator<LuaScript> change) {
        this(List.of(change));
    }

    /** Names of several versions of the scripts. */
    public ScriptNames(List<UnaryOperator<LuaScript>> versions) {
        versions.forEach(
                version -> FILES.forEach((anchor, verbs) -> verbs.forEach(verb -> add(anchor, verb, version))));
        versions.forEach(version -> AROUND.forEach((verb, keys) -> around(verb, keys, version)));
    }

    /** With a stream as transport these stand around those of lists, and mean the same. */
    private void around(String verb, int keys, UnaryOperator<LuaScript> change) {
        LuaScript inner = LuaScript.load(DelayedQueue.class, verb + ".lua", LuaScript.ANY, LuaScript.ANY);
        LuaScript whole = change.apply(LuaScript.load(TaskStream.class, verb + ".lua", keys, LuaScript.ANY)
                .around(inner));
        bySha.put(whole.sha(), "delayed/" + verb);
        byText.put(whole.text(), "delayed/" + verb);
    }

    private void add(Class<?> anchor, String verb, UnaryOperator<LuaScript> change) {
        LuaScript script = change.apply(LuaScript.load(anchor, verb + ".lua", LuaScript.ANY, LuaScript.ANY));
        String family =
                anchor.getPackageName().substring(anchor.getPackageName().lastIndexOf('.') + 1);
        add(script, family + "/" + verb);
        if (anchor == SingletonStore.class) {
            add(script.behind(HASH, "(Hash)", 0, 0), family + "/" + verb);
        }
    }

    private void add(LuaScript script, String name) {
        bySha.put(script.sha(), name);
        byText.put(script.text(), name);
    }

    @Nullable
    String bySha(String sha) {
        return bySha.get(sha);
    }

    @Nullable
    String byText(String text) {
        return byText.get(text);
    }
}
