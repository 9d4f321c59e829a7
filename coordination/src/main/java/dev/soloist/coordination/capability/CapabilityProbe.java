package dev.soloist.coordination.capability;

import dev.soloist.coordination.link.RedisLink;
import dev.soloist.coordination.link.RedisUnavailable;
import dev.soloist.coordination.link.ScriptFailed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
     * What the servers say about themselves: in a Cluster every primary is asked, for each of them may take a lease. One that
     * is away takes none and holds up nobody; it tells its life when it is back, and so is looked at.
     *
     * @throws RedisUnavailable if none answers
     */
    ServerFacts facts() {
        return ServerFacts.together(there(new Routes(link).by(random -> "{" + random + "}"), this::factsOf));
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
     * Tries everything in scope, on each primary that the keys lead to: the weakest of them counts. If one was away the
     * answer names no life, so that everything is tried anew at the next look.
     *
     * @throws RedisUnavailable if none answers; nothing is known then
     */
    Capabilities probe(ServerFacts facts) {
        List<String> routes = new Routes(link).by(key);
        List<Capabilities> tried = there(routes, name -> new Capabilities(facts, tried(name)));
        return Capabilities.weakest(tried).with(tried.size() == routes.size() ? facts : facts.ofUnknownLife());
    }

    /** What is said where the routes lead; those whose server is away are left out, unless all are. */
    private static <T> List<T> there(List<String> routes, Function<String, T> look) {
        var told = new ArrayList<T>(routes.size());
        RedisUnavailable away = null;
        for (String route : routes) {
            try {
                told.add(look.apply(route));
            } catch (RedisUnavailable unanswered) {
                away = unanswered;
            }
        }
        if (away != null && told.isEmpty()) {
            throw away;
        }
        return told;
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
