package dev.soloist.coordination.capability;

import dev.soloist.coordination.key.Nonce;
import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Finds out what a server can do by trying it, never by its version: proxies and access rules hide commands. It works on
 * keys of its own with a random name, each with an expiry from its first moment, so a crash leaves nothing for long.
 * Thread-safe.
 */
public final class CapabilityProbe {

    /** How much is tried. */
    public enum Scope {
        /** What decides about the mode; a namespace's user may do all of it. */
        ESSENTIALS,
        /** Also what is only to be shown. */
        EVERYTHING
    }

    private final RedisLink link;
    private final UnaryOperator<String> key;
    private final Scope scope;

    /**
     * A probe over the link.
     *
     * @param key makes the name of a key that nobody else uses from a random text
     */
    public CapabilityProbe(RedisLink link, UnaryOperator<String> key, Scope scope) {
        this.link = link;
        this.key = key;
        this.scope = scope;
    }

    /**
     * What the server says about itself.
     *
     * @throws RedisUnavailable if it does not answer
     */
    ServerFacts facts() {
        try {
            List<Object> reply = link.call("INFO");
            return !reply.isEmpty() && reply.getFirst() instanceof byte[] text
                    ? ServerFacts.read(new String(text, StandardCharsets.UTF_8))
                    : ServerFacts.UNKNOWN;
        } catch (ScriptFailed unknown) {
            return ServerFacts.UNKNOWN;
        } catch (RedisUnavailable refused) {
            if (refused.kind() == RedisUnavailable.Kind.FORBIDDEN) {
                return ServerFacts.UNKNOWN;
            }
            throw refused;
        }
    }

    /**
     * Tries everything in scope.
     *
     * @throws RedisUnavailable if the server does not answer; nothing is known then
     */
    Capabilities probe(ServerFacts facts) {
        Map<Capability, Finding> found = new EnumMap<>(Capability.class);
        String name = key.apply(Nonce.create().value());
        new ScriptTrial(link).run(name, found);
        if (!found.getOrDefault(Capability.SCRIPTS, Finding.UNTRIED).isYes() || scope == Scope.EVERYTHING) {
            new CommandTrial(link).run(name, found);
        }
        if (scope == Scope.EVERYTHING) {
            new OptionalTrial(link).run(name, found);
        }
        return new Capabilities(facts, found).with(facts);
    }
}
