package dev.soloist.coordination.shard;

import dev.soloist.coordination.key.InstanceId;
import java.util.List;

/** The answer to registering an instance in a shard by a layout. */
public sealed interface Enrolment {

    /**
     * It takes part, and may act on the layout until it is fenced.
     *
     * @param predecessors as in {@link dev.soloist.coordination.instance.Registering.Registered}
     */
    record Enrolled(List<InstanceId> predecessors) implements Enrolment {}

    /**
     * It does not take part: the layout is another by now.
     *
     * @param now the layout, perhaps not open yet
     */
    record Outdated(Layout now) implements Enrolment {}

    /** This very instance was registered before and has been fenced since: take a new name. */
    record Fenced() implements Enrolment {}
}
