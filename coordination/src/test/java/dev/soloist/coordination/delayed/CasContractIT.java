package dev.soloist.coordination.delayed;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(CasMode.class)
class CasContractIT {

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
    class Rescheduling extends RescheduleIT {}

    @Nested
    class Sweeping extends SweepIT {}

    @Nested
    class Duplicates extends OnDuplicateIT {}

    @Nested
    class Postponing extends PostponeIT {}

    @Nested
    class Ids extends TaskIdIT {}

    @Nested
    class Payloads extends PayloadIT {}

    @Nested
    class DeadLetters extends DeadLettersIT {}

    @Nested
    class Counting extends CountsIT {}

    @Nested
    class Inspecting extends InspectIT {}

    @Nested
    class Repairing extends RepairIT {}

    @Nested
    class Racing extends RacesIT {}
}
