package dev.soloist.operator.core;

import dev.soloist.operator.core.PodFacts.ContainerState;
import dev.soloist.operator.core.PodFacts.Stage;

/// What the facts about a pod prove. Pure. To call a living holder dead would let two runs overlap, so silence,
/// absence and unreachable nodes prove nothing: there the lease decides.
public enum DeathEvidence {
    /// Nothing is proven.
    NONE,
    /// The sidecar's process is gone: its instance may be fenced and its delayed tasks adopted. The app may still be
    /// at work.
    INSTANCE,
    /// The app's processes are gone as well: the run is over, and its lease may be taken.
    INSTANCE_AND_RUN;

    /// Only a pod that is ending can prove anything. In a live pod a container that is reported as terminated
    /// may have been started again a moment ago; the sidecar that starts again fences its predecessor itself,
    /// and a sidecar whose app died ends the run itself.
    public static DeathEvidence of(PodFacts pod) {
        if (pod.stage() != Stage.ENDING || pod.sidecar() != ContainerState.TERMINATED) {
            return NONE;
        }
        var appsAreGone =
                !pod.apps().isEmpty() && pod.apps().stream().allMatch(state -> state == ContainerState.TERMINATED);
        return appsAreGone ? INSTANCE_AND_RUN : INSTANCE;
    }
}
