package dev.soloist.coordination.instance;

import dev.soloist.coordination.key.InstanceId;
import java.util.List;

/** The answer to registering. */
public sealed interface Registering {

    /**
     * The instance takes part from now on.
     *
     * @param predecessors other instances of the same pod that are still listed; their process is gone, for a pod runs one
     *     sidecar at a time, so they can be fenced as {@link Evidence.Terminated} and adopted
     */
    record Registered(List<InstanceId> predecessors) implements Registering {}

    /** This very instance was registered before and has been fenced since: take a new name. */
    record Fenced() implements Registering {}
}
