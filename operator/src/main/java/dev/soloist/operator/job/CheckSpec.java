package dev.soloist.operator.job;

import dev.soloist.crds.InvalidSpec;
import dev.soloist.crds.job.EffectiveJob;
import dev.soloist.crds.job.JobRules;

/// Checks the rules of the schema once more: the object may be older than a rule, or have been stored without an API
/// server's checks.
final class CheckSpec implements Step {

    @Override
    public Next run(Pass pass) {
        try {
            pass.effective = EffectiveJob.of(pass.job);
            return Next.GO_ON;
        } catch (InvalidSpec invalid) {
            return pass.stop(
                    Problem.untilEdited(JobRules.reason(invalid.violations()), String.valueOf(invalid.getMessage())));
        }
    }
}
