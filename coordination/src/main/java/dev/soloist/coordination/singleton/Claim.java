package dev.soloist.coordination.singleton;

import java.time.Duration;

/** The answer to a wish for the lease. No answer at all (an exception) is never a grant. */
public sealed interface Claim {
    /** How long to wait in states that no passing of time ends: look again now and then, and when woken. */
    Duration UNTIL_WOKEN = Duration.ofHours(1);

    /** The caller holds the lease. */
    record Claimed(Grant grant) implements Claim {}

    /**
     * Nothing to claim.
     *
     * @param dueIn until the slot is due, or the present lease would end; {@link #UNTIL_WOKEN} where time does not help
     */
    record NotDue(SingletonState state, Duration dueIn) implements Claim {}

    /**
     * A lock stands though no run is on record: nobody claims until it ends.
     *
     * @param remaining of it; {@link #UNTIL_WOKEN} when it has no end, which the watchdog reports
     */
    record Busy(Duration remaining) implements Claim {}

    /** The caller's term is old: adopt the current one and go on. */
    record StaleTerm(long current) implements Claim {}

    /** Redis is behind the caller's term, so it has lost data: nobody claims until the operator has raised it. */
    record TermBehind(long record) implements Claim {}

    /** The request arrived after its last moment and won nothing. */
    record TooLate() implements Claim {}

    /** This nonce has had its run or was given up: make a new one. */
    record Spent() implements Claim {}

    /** This nonce had the lease and it is over, but the record is still its own: release it, or finish it if its fence is known. */
    record Lost() implements Claim {}
}
