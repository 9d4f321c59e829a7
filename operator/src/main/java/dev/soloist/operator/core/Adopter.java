package dev.soloist.operator.core;

import dev.soloist.coordination.instance.Adoption;
import dev.soloist.coordination.instance.Evidence;
import dev.soloist.coordination.instance.InstanceView;
import dev.soloist.coordination.instance.InstanceView.State;
import dev.soloist.coordination.instance.Instances;
import dev.soloist.coordination.key.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Hands the delayed tasks of dead instances to living ones: first fence, then a change of label. A crash
/// between the two leaves a fenced instance that anybody may adopt.
final class Adopter {

    /// Fences every instance of a shard whose silence Redis itself confirms, and has all fenced ones adopted.
    ///
    /// @return how many were adopted
    int adoptSilent(Instances instances, Evidence.LeaseOver evidence) {
        instances.list().stream()
                .filter(view -> view.state() == State.ACTIVE && !view.overFor().isZero())
                .forEach(view -> instances.fence(view.id(), evidence));
        return adoptFenced(instances);
    }

    /// Fences the instances, in one shard, of a pod whose sidecar is known to have terminated, and has them adopted.
    ///
    /// @return how many were adopted
    int adoptTerminated(Instances instances, String podUid) {
        var dead = instances.list().stream()
                .filter(view -> view.id().podUid().equals(podUid))
                .toList();
        if (dead.isEmpty()) {
            return 0;
        }
        dead.forEach(view -> instances.fence(view.id(), new Evidence.Terminated()));
        return adoptFenced(instances);
    }

    private static int adoptFenced(Instances instances) {
        var views = instances.list();
        var heir = heir(views);
        if (heir.isEmpty()) {
            return 0;
        }
        var adopted = 0;
        for (var view : views) {
            if (view.state() == State.FENCED && instances.adopt(view.id(), heir.get()) instanceof Adoption.Adopted) {
                adopted++;
            }
        }
        return adopted;
    }

    /// The living instance whose lease ends last: the one heard from most recently.
    private static Optional<InstanceId> heir(List<InstanceView> views) {
        return views.stream()
                .filter(view -> view.state() == State.ACTIVE && view.overFor().equals(Duration.ZERO))
                .max((a, b) -> a.leaseEnd().compareTo(b.leaseEnd()))
                .map(InstanceView::id);
    }
}
