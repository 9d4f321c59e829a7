package dev.soloist.coordination.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What carries a script out: the server itself, or somebody who does the same by means that the server has. */
@FunctionalInterface
public interface ScriptEngine {

    /**
     * Carries the script out once, whole or not at all.
     *
     * @return numbers as {@code Long}, texts as {@code byte[]}, arrays as {@code List}, false as null
     * @throws dev.soloist.coordination.link.RedisUnavailable if no usable answer came; it may have been done
     * @throws dev.soloist.coordination.link.ScriptFailed if the script raised an error
     */
    @Nullable
    Object eval(LuaScript script, List<String> keys, byte[][] arguments);
}
