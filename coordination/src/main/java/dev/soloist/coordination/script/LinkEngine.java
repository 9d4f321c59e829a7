package dev.soloist.coordination.script;

import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisLink;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The server at the other end of a link. Thread-safe. */
public final class LinkEngine implements ScriptEngine {

    private final RedisLink link;

    /** Carries scripts out over the given link. */
    public LinkEngine(RedisLink link) {
        this.link = link;
    }

    @Override
    public @Nullable Object eval(LuaScript script, List<String> keys, byte[][] arguments) {
        return link.eval(script.sha(), script.text(), keys, arguments);
    }

    @Override
    public Acknowledged<@Nullable Object> evalReplicated(
            LuaScript script,
            Durability.Replicated wanted,
            Predicate<@Nullable Object> mustBeCopied,
            List<String> keys,
            byte[][] arguments) {
        return link.replicated().eval(script.sha(), script.text(), wanted, mustBeCopied, keys, arguments);
    }
}
