package dev.soloist.operator.core;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.coordination.job.Trigger;
import dev.soloist.coordination.key.JobId;
import dev.soloist.coordination.schedule.InvalidSchedule;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.policy.EffectivePolicy;

/// Turns what users wrote, checked and with its defaults, into what sidecars are told. Pure.
public final class Definitions {

    private Definitions() {}

    /// Which object a definition stands for.
    ///
    /// @param uid of the object in the cluster; an object made again under the same name has another
    /// @param generation of its spec
    public record Identity(JobId id, String uid, long generation) {}

    /// Makes the definition of one job.
    ///
    /// @throws InvalidSchedule if the schedule passes the rules of the schema but has no next time
    public static JobDefinition of(Identity identity, long term, EffectiveJob job, EffectivePolicy policy) {
        return new JobDefinition(
                identity.id(),
                identity.uid(),
                identity.generation(),
                term,
                job.suspended(),
                new Trigger(
                        job.request().port(),
                        job.request().path(),
                        job.request().timeout()),
                PolicyDefinition.of(policy),
                WorkDefinition.of(job.work()),
                job.work() instanceof EffectiveJob.Broadcasting
                        ? 0
                        : job.events().maxLength());
    }

    static IllegalArgumentException unchecked(String what) {
        return new IllegalArgumentException("an unknown " + what + " passed the rules");
    }
}
