package dev.soloist.coordination.lease;

import java.time.Duration;

/** What became of a wish to give a lease back. */
public sealed interface LeaseRelease {

    /** It is free. */
    record Released() implements LeaseRelease {}

    /** There is no lease of this fence any more. */
    record Gone() implements LeaseRelease {}

    /** It lives and is another pod's; nothing was done. */
    record Foreign(Duration remaining) implements LeaseRelease {}
}
