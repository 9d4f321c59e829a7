package dev.soloist.coordination.cas;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries scripts out by compare-and-set, for a server that has {@code SET k new VX old} and no scripts. All keys of one
 * hash tag live in one string ({@link dev.soloist.coordination.key.RedisKeys#together}); a call reads it and the server's
 * time, runs the script here, and sets the whole string if it still is what was read. So a call is done whole or not at
 * all, one after the other, on one primary; its messages are sent after its write. What it promises less than scripts on
 * the server, and why a write that arrives late does no harm, is in docs/decisions/0008. Thread-safe and without state: a
 * process that dies before its write has done nothing, one that dies after it has done all but send the hints.
 */
public final class CasEngine implements ScriptEngine {

    private final CasCommands commands;

    /** An engine at the other end of the link. */
    public CasEngine(RedisLink link) {
        this(new CasCommands(link));
    }

    CasEngine(CasCommands commands) {
        this.commands = commands;
    }

    /**
     * {@inheritDoc}
     *
     * <p>It is {@code RedisUnavailable}, too, when others kept changing the string for two seconds.
     */
    @Override
    public @Nullable Object eval(LuaScript script, List<String> keys, byte[][] arguments) {
        return new CasCall(commands, script, keys, arguments).run();
    }
}
