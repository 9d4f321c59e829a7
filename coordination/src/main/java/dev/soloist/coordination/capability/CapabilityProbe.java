package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import java.util.EnumMap;
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
     * What the servers say about themselves: in a Cluster every primary is asked, for each of them may take a lease.
     *
     * @throws RedisUnavailable if one does not answer
     */
    ServerFacts facts() {
        return ServerFacts.together(new Routes(link)
                .by(random -> "{" + random + "}").stream().map(this::factsOf).toList());
    }

    private ServerFacts factsOf(String route) {
        try {
            return ServerFacts.read(
                    String.join("\n", link.info("server", route), link.info("replication", route), memory(route)));
        } catch (ScriptFailed unknown) {
            return ServerFacts.UNKNOWN;
        } catch (RedisUnavailable refused) {
            if (refused.kind() == RedisUnavailable.Kind.FORBIDDEN) {
                return ServerFacts.UNKNOWN;
            }
            throw refused;
        }
    }

    /** A server that has no such section answers with nothing. */
    private String memory(String route) {
        try {
            return link.info("memory", route);
        } catch (ScriptFailed unknown) {
            return "";
        }
    }

    /**
     * Tries everything in scope, on each primary that the keys lead to: the weakest of them counts.
     *
     * @throws RedisUnavailable if one does not answer; nothing is known then
     */
    Capabilities probe(ServerFacts facts) {
        return Capabilities.weakest(new Routes(link)
                        .by(key).stream()
                                .map(name -> new Capabilities(facts, tried(name)))
                                .toList())
                .with(facts);
    }

    private Map<Capability, Finding> tried(String name) {
        Map<Capability, Finding> found = new EnumMap<>(Capability.class);
        new ScriptTrial(link).run(name, found);
        if (!found.getOrDefault(Capability.SCRIPTS, Finding.UNTRIED).isYes() || scope == Scope.EVERYTHING) {
            new CommandTrial(link).run(name, found);
        }
        if (scope == Scope.EVERYTHING) {
            new OptionalTrial(link).run(name, found);
        }
        return found;
    }
}
