package dev.soloist.operator.job;

import dev.soloist.coordination.schedule.InvalidSchedule;
import dev.soloist.crds.InvalidSpec;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.policy.EffectivePolicy;
import dev.soloist.operator.core.Definitions;
import org.jspecify.annotations.Nullable;

/// Puts job and policy together. A missing policy is a condition and no error: objects may be applied in any order.
final class Define implements Step {

    @Override
    public Next run(Pass pass) {
        EffectivePolicy policy;
        try {
            policy = policyOf(pass);
        } catch (InvalidSpec invalid) {
            return pass.stop(Problem.untilEdited(
                    Reasons.POLICY_INVALID,
                    "LockPolicy " + pass.effective().lockPolicy() + " breaks a rule: " + invalid.getMessage()));
        }
        if (policy == null) {
            return pass.stop(Problem.untilEdited(
                    Reasons.POLICY_NOT_FOUND,
                    "there is no LockPolicy " + pass.effective().lockPolicy()
                            + " in this namespace: create it, or remove spec.lockPolicy"));
        }
        try {
            var identity = new Definitions.Identity(pass.id, pass.uid(), pass.generation());
            pass.definition = Definitions.of(identity, pass.memory.term(), pass.effective(), policy);
            pass.again = pass.definition.policy().watchdogEvery();
            return Next.GO_ON;
        } catch (InvalidSchedule invalid) {
            return pass.stop(Problem.untilEdited(Reasons.INVALID_SCHEDULE, String.valueOf(invalid.getMessage())));
        }
    }

    private static @Nullable EffectivePolicy policyOf(Pass pass) throws InvalidSpec {
        if (pass.effective().lockPolicy() == null) {
            return EffectivePolicy.BUILT_IN;
        }
        return pass.policy.isPresent() ? EffectivePolicy.of(pass.policy.get()) : null;
    }
}
