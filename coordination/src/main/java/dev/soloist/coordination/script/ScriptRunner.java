package dev.soloist.coordination.script;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisLink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Runs scripts by one engine. A server that does not know a script (restart, failover, SCRIPT FLUSH) is sent its text
 * in the same call; nothing else is repeated, so a call that failed may or may not have been done. Thread-safe.
 */
public final class ScriptRunner {

    private final ScriptEngine engine;

    /** Runs scripts on the server at the other end of the link. */
    public ScriptRunner(RedisLink link) {
        this(new LinkEngine(link));
    }

    /** Runs scripts by the given engine. */
    public ScriptRunner(ScriptEngine engine) {
        this.engine = engine;
    }

    /** A runner whose scripts pass through something on their way to the engine of this one. */
    public ScriptRunner through(UnaryOperator<ScriptEngine> way) {
        return new ScriptRunner(way.apply(engine));
    }

    /**
     * Runs a script.
     *
     * @param keys all keys that the script touches
     * @param arguments texts, byte arrays, or integers
     * @throws dev.soloist.coordination.link.RedisUnavailable if no answer came; the script may have run
     * @throws dev.soloist.coordination.link.ScriptFailed if the server refused it or the script raised an error
     */
    public ScriptReply run(LuaScript script, List<String> keys, Object... arguments) {
        return run(script, keys, List.of(arguments));
    }

    /** As {@link #run(LuaScript, List, Object...)}, for arguments that are already a list. */
    public ScriptReply run(LuaScript script, List<String> keys, List<?> arguments) {
        script.check(keys.size(), arguments.size());
        byte[][] values = arguments.stream().map(ScriptRunner::bytes).toArray(byte[][]::new);
        return new ScriptReply(script.name(), engine.eval(script, keys, values));
    }

    /**
     * As {@link #run(LuaScript, List, Object...)}, with an answer that counts only when it is as durable as is wanted.
     *
     * @param mustBeCopied whether that answer stands for a write that has to last; the script must have written something
     *     then, also where it repeats an earlier answer
     * @throws dev.soloist.coordination.link.RedisUnavailable as above, and if the engine cannot know what replicas have
     */
    public Acknowledged<ScriptReply> run(
            Durability durability,
            Predicate<ScriptReply> mustBeCopied,
            LuaScript script,
            List<String> keys,
            Object... arguments) {
        return switch (durability) {
            case Durability.Local() -> Acknowledged.of(run(script, keys, arguments));
            case Durability.Replicated wanted -> {
                script.check(keys.size(), arguments.length);
                byte[][] values =
                        Arrays.stream(arguments).map(ScriptRunner::bytes).toArray(byte[][]::new);
                yield engine.evalReplicated(
                                script,
                                wanted,
                                reply -> mustBeCopied.test(new ScriptReply(script.name(), reply)),
                                keys,
                                values)
                        .map(reply -> new ScriptReply(script.name(), reply));
            }
        };
    }

    private static byte[] bytes(Object argument) {
        return switch (argument) {
            case byte[] raw -> raw;
            case String text -> text.getBytes(StandardCharsets.UTF_8);
            case Integer number -> number.toString().getBytes(StandardCharsets.UTF_8);
            case Long number -> number.toString().getBytes(StandardCharsets.UTF_8);
            default ->
                throw new IllegalArgumentException(
                        "a script argument is a text, bytes or an integer, not " + argument.getClass());
        };
    }
}
