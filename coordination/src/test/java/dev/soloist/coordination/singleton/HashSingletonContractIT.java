package dev.soloist.coordination.singleton;

import dev.soloist.coordination.testkit.HashLeases;
import org.junit.jupiter.api.Nested;

/**
 * The contract of singleton jobs whose leases are kept in the hash of their namespace: every test of leases that are keys.
 * Not here: {@link BadInputIT}, which sends the scripts by itself. The storm is {@link HashSingletonClusterIT}.
 */
@HashLeases
class HashSingletonContractIT {

    @Nested
    class Claiming extends ClaimIT {}

    @Nested
    class Deleting extends DeleteIT {}

    @Nested
    class Finishing extends FinishIT {}

    @Nested
    class MovingAway extends MoveAwayIT {}

    @Nested
    class Racing extends RaceIT {}

    @Nested
    class Reclaiming extends ReclaimIT {}

    @Nested
    class Releasing extends ReleaseIT {}

    @Nested
    class Renewing extends RenewIT {}

    @Nested
    class Seeding extends SeedIT {}

    @Nested
    class SuspendingAndResuming extends SuspendResumeIT {}

    @Nested
    class TriggeringNow extends TriggerNowIT {}

    @Nested
    class UpdatingTheSpec extends UpdateSpecIT {}

    @Nested
    class Waking extends WakeIT {}

    @Nested
    class Watching extends WatchIT {}

    @Nested
    class Unlocking extends UnlockIT {}
}
