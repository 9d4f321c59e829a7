package dev.soloist.coordination.script;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisUnavailable;
import java.util.List;
import java.util.function.Predicate;
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

    /**
     * As {@link #eval}, and then waits for replicas if the answer says so.
     *
     * @param mustBeCopied whether that answer stands for a write that replicas must have
     * @throws RedisUnavailable of kind REFUSED, with nothing sent, unless this engine can know what replicas have
     */
    default Acknowledged<@Nullable Object> evalReplicated(
            LuaScript script,
            Durability.Replicated wanted,
            Predicate<@Nullable Object> mustBeCopied,
            List<String> keys,
            byte[][] arguments) {
        throw RedisUnavailable.refused(Durability.UNKNOWABLE);
    }
}
