package dev.soloist.coordination.delayed.cas;

import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.InstanceId;

/** Whether an instance takes part at this moment; it may be fenced in the next one, so writers ask again afterwards. */
@FunctionalInterface
interface Membership {

    boolean isActive(InstanceId instance);

    /** By the list of the job's instances. */
    static Membership of(Instances instances) {
        return instance -> instances.list().stream()
                .anyMatch(view -> view.id().equals(instance) && view.state() == InstanceView.State.ACTIVE);
    }
}
