package dev.soloist.coordination.durability;

import java.time.Duration;

/** When a lease or an accepted task counts as written. Immutable. */
public sealed interface Durability {

    /** When the primary has it. */
    Durability LOCAL = new Local();

    /** Why a server without scripts does nothing for a policy that wants replicas, for people. */
    String UNKNOWABLE =
            "the LockPolicy wants replicas to acknowledge (durability.mode Replicated), which cannot be known on a"
                    + " store that is used in mode Cas: set durability.mode: Local, or use a Redis or Valkey with scripts";

    /** When the primary has it: a failover may forget it. */
    record Local() implements Durability {}

    /**
     * When replicas have it, too. Redis does not see to it that one of them is promoted, so this lessens what a failover
     * forgets and does not exclude it, unless as many are asked for as may be promoted.
     *
     * @param replicas how many must have it, at least 1
     * @param timeout how long to wait for them, at least a millisecond
     */
    record Replicated(int replicas, Duration timeout) implements Durability {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException naming the value that is wrong
         */
        public Replicated {
            if (replicas < 1) {
                throw new IllegalArgumentException("at least one replica has to acknowledge, not " + replicas);
            }
            if (timeout.toMillis() < 1) {
                // To Redis, zero means to wait for ever.
                throw new IllegalArgumentException("the wait for replicas lasts at least a millisecond: " + timeout);
            }
        }
    }
}
