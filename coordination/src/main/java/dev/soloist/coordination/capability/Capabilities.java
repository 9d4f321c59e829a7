package dev.soloist.coordination.capability;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What was found out about a store. Immutable.
 *
 * @param findings one for each capability
 */
public record Capabilities(ServerFacts server, Map<Capability, Finding> findings) {

    /** Fills in what was not tried. */
    public Capabilities {
        var all = new EnumMap<Capability, Finding>(Capability.class);
        for (Capability capability : Capability.values()) {
            all.put(capability, findings.getOrDefault(capability, Finding.UNTRIED));
        }
        findings = Map.copyOf(all);
    }

    /** What came of that trial. */
    public Finding of(Capability capability) {
        return findings.getOrDefault(capability, Finding.UNTRIED);
    }

    /** Whether it was tried and works. */
    public boolean has(Capability capability) {
        return of(capability).isYes();
    }

    /** The same trials with what the server says about itself now. */
    Capabilities with(ServerFacts facts) {
        var all = new EnumMap<Capability, Finding>(findings);
        all.put(Capability.EVICTS_NOTHING, facts.evictsNothing());
        all.put(Capability.PRIMARY, facts.primary());
        return new Capabilities(facts, all);
    }

    /** Several servers that serve one store can do together what the weakest of them can. */
    static Capabilities weakest(List<Capabilities> servers) {
        Capabilities weakest = servers.getFirst();
        for (Capabilities server : servers) {
            var worse = new EnumMap<Capability, Finding>(Capability.class);
            for (Capability capability : Capability.values()) {
                worse.put(capability, Finding.worse(weakest.of(capability), server.of(capability)));
            }
            weakest = new Capabilities(weakest.server(), worse);
        }
        return weakest;
    }
}
