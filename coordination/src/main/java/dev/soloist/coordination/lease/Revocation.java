package dev.soloist.coordination.lease;

import java.time.Duration;

/** What became of a wish to end somebody's lease. */
public sealed interface Revocation {

    /**
     * It will not be renewed.
     *
     * @param pod name of the holder's pod
     * @param remaining until anybody else can have it, unless its holder gives it back before
     */
    record Revoked(String pod, Duration remaining) implements Revocation {}

    /** There is no lease of this fence any more. */
    record Gone() implements Revocation {}
}
