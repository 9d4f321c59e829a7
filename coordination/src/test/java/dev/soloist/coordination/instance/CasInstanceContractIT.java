package dev.soloist.coordination.instance;

import dev.soloist.coordination.delayed.BehindPika;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of instances on a server without scripts. The stand-in proves nothing about Pika itself. */
@ExtendWith(BehindPika.class)
class CasInstanceContractIT {

    @Nested
    class Registering extends RegisterIT {}

    @Nested
    class Beating extends HeartbeatIT {}

    @Nested
    class Fencing extends FenceIT {}

    @Nested
    class Leaving extends LeaveIT {}
}
