package dev.soloist.operator.job;

import dev.soloist.coordination.capability.StoreMode;
import dev.soloist.coordination.job.Feature;
import dev.soloist.crds.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Refuses a job that asks for what the store does not offer. A job that was in force before goes on as last published.
final class JudgeFeatures implements Step {

    private final Supplier<StoreMode> mode;

    JudgeFeatures(Supplier<StoreMode> mode) {
        this.mode = mode;
    }

    @Override
    public Next run(Pass pass) {
        var refused = mode.get() instanceof StoreMode.Cas ? refusedWithoutScripts(pass) : List.<String>of();
        return refused.isEmpty()
                ? Next.GO_ON
                : pass.stop(Problem.untilEdited(Reasons.NOT_ON_THIS_STORE, String.join("; ", refused)));
    }

    private static List<String> refusedWithoutScripts(Pass pass) {
        var refused = new ArrayList<String>();
        for (var feature : Feature.of(pass.definition())) {
            NeedsScripts.why(feature).ifPresent(refused::add);
        }
        var events = pass.effective().events();
        if (events.asked() && events.maxLength() > 0) {
            refused.add(NeedsScripts.EVENT_LOG);
        }
        return refused;
    }
}
