package dev.soloist.operator.job;

import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.durability.Durability;
import dev.soloist.crds.Reasons;
import java.util.function.Supplier;

/// Refuses a policy that the store cannot keep: a wish that is passed over would be found out in a failover only.
final class JudgeDurability implements Step {

    private final Supplier<StoreMode> mode;

    JudgeDurability(Supplier<StoreMode> mode) {
        this.mode = mode;
    }

    @Override
    public Next run(Pass pass) {
        if (pass.definition().policy().durability() instanceof Durability.Replicated
                && mode.get() instanceof StoreMode.Cas) {
            return pass.stop(Problem.untilEdited(Reasons.DURABILITY_UNSUPPORTED, Durability.UNKNOWABLE));
        }
        return Next.GO_ON;
    }
}
