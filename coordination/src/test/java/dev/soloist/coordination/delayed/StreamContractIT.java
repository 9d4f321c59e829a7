package dev.soloist.coordination.delayed;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the tests of delayed tasks say of lists holds for a stream, too, without any exception. */
@ExtendWith(ByStream.class)
class StreamContractIT {

    @Nested
    class Enqueueing extends EnqueueIT {}

    @Nested
    class Moving extends MoveIT {}

    @Nested
    class Reserving extends ReserveIT {}

    @Nested
    class Acknowledging extends AckIT {}

    @Nested
    class GivingBack extends GiveBackIT {}

    @Nested
    class Extending extends ExtendIT {}

    @Nested
    class Cancelling extends CancelIT {}

    @Nested
    class Sweeping extends SweepIT {}

    @Nested
    class Duplicates extends OnDuplicateIT {}

    @Nested
    class Ids extends TaskIdIT {}

    @Nested
    class Payloads extends PayloadIT {}

    @Nested
    class DeadLetters extends DeadLettersIT {}

    @Nested
    class Counting extends CountsIT {}

    @Nested
    class Repairing extends RepairIT {}

    @Nested
    class Racing extends RacesIT {}

    @Nested
    class LosingReplies extends LostReplyIT {}

    @Nested
    class OnAFullServer extends FullServerIT {}

    @Nested
    class LosingScripts extends ScriptFlushIT {}
}
