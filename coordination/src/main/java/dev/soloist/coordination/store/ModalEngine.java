package dev.soloist.coordination.store;

import dev.soloist.coordination.capability.StoreGate;
import dev.soloist.coordination.cas.CasEngine;
import dev.soloist.coordination.durability.Acknowledged;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.script.LinkEngine;
import dev.soloist.coordination.script.LuaScript;
import dev.soloist.coordination.script.ScriptEngine;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries a script out in the mode that the gate says, decided anew at each call. */
final class ModalEngine implements ScriptEngine {

    private final StoreGate gate;
    private final RedisLink link;
    private final LinkEngine server;

    ModalEngine(StoreGate gate, RedisLink link) {
        this.gate = gate;
        this.link = link;
        this.server = new LinkEngine(link);
    }

    @Override
    public @Nullable Object eval(LuaScript script, List<String> keys, byte[][] arguments) {
        return switch (gate.require()) {
            case SCRIPTED -> scripted(() -> server.eval(script, keys, arguments));
            // Made for each call, so that its classes and the interpreter's are loaded in this mode only.
            case CAS -> new CasEngine(link).eval(script, keys, arguments);
        };
    }

    private <T extends @Nullable Object> T scripted(Supplier<T> call) {
        try {
            return call.get();
        } catch (RedisUnavailable refused) {
            if (refused.kind() == RedisUnavailable.Kind.FORBIDDEN) {
                gate.doubt();
            }
            throw refused;
        }
    }

    @Override
    public Acknowledged<@Nullable Object> evalReplicated(
            LuaScript script,
            Durability.Replicated wanted,
            Predicate<@Nullable Object> mustBeCopied,
            List<String> keys,
            byte[][] arguments) {
        return switch (gate.require()) {
            case SCRIPTED -> scripted(() -> server.evalReplicated(script, wanted, mustBeCopied, keys, arguments));
            case CAS -> throw RedisUnavailable.refused(Durability.UNKNOWABLE);
        };
    }
}
