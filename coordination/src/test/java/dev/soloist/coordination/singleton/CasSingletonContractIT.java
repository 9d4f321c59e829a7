package dev.soloist.coordination.singleton;

import dev.soloist.coordination.testkit.CasMode;
import org.junit.jupiter.api.Nested;

/**
 * The contract of singleton jobs on a server without scripts. Not here: {@link FullServerIT} (Pika keeps its data on disk
 * and has no maxmemory), {@link ForgottenScriptsIT} (there are none to forget) and {@link LostReplyIT}, which breaks a
 * step's one command; a step of several commands is broken at each of them in {@link CasLostReplyIT}. The storm is {@link CasSingletonClusterIT}. The stand-in proves
 * that our side keeps to Pika's commands and replies; it proves nothing about Pika itself.
 */
@CasMode
class CasSingletonContractIT {

    @Nested
    class BadInput extends BadInputIT {}

    @Nested
    class Claiming extends ClaimIT {}

    @Nested
    class AvoidingAntiPatterns extends AntiPatternsIT {}

    @Nested
    class CoolingDown extends CooldownIT {}

    @Nested
    class Deleting extends DeleteIT {}

    @Nested
    class Finishing extends FinishIT {}

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
    class TakingTokens extends QueueAsTokenIT {}

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
