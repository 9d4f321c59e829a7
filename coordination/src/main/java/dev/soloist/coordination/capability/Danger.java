package dev.soloist.coordination.capability;

import java.util.Optional;

/**
 * Why a store may lose a lease by itself, so that a second holder would be let in. Immutable.
 *
 * @param kind what it is
 * @param sentence for people: what was found, and what to change
 */
public record Danger(Kind kind, String sentence) {

    /** Kinds of dangers. The words are stable: conditions carry them as their reason. */
    public enum Kind {
        /** The store may evict keys that have an expiry, which leases are. */
        EVICTION("EvictionPolicyUnsafe"),
        /** The server is not the primary. */
        NOT_PRIMARY("StoreNotPrimary");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** The stable word. */
        public String word() {
            return word;
        }
    }

    /**
     * The danger of a store. Its policy decides alone, whether a limit is set now or not: a limit can be set at any
     * moment, without a reconnect, and evicts at once. A policy that the server hides may be any.
     */
    static Optional<Danger> of(Capabilities seen) {
        if (seen.of(Capability.PRIMARY).state() == Finding.State.NO) {
            return Optional.of(
                    new Danger(Kind.NOT_PRIMARY, "the server is a replica: let the address lead to the primary"));
        }
        Finding eviction = seen.of(Capability.EVICTS_NOTHING);
        if (eviction.state() == Finding.State.NO) {
            return Optional.of(new Danger(
                    Kind.EVICTION,
                    eviction.said()
                            + ", so the store may evict a lease and let a second holder in: set maxmemory-policy"
                            + " to noeviction, or accept it by spec.safety: Lenient in the LockPolicy"));
        }
        return Optional.empty();
    }
}
