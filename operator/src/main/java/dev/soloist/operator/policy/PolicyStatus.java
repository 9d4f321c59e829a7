package dev.soloist.operator.policy;

import dev.soloist.crds.ConditionTypes;
import dev.soloist.crds.GoDuration;
import dev.soloist.crds.InvalidSpec;
import dev.soloist.crds.Reasons;
import dev.soloist.crds.policy.EffectivePolicy;
import dev.soloist.crds.policy.LockPolicy;
import dev.soloist.crds.policy.LockPolicyStatus;
import dev.soloist.operator.conditions.Conditions;
import java.time.Instant;

/// What a policy's status should be. Pure.
final class PolicyStatus {

    private PolicyStatus() {}

    static LockPolicyStatus of(LockPolicy policy, int usedBy, Instant now) {
        var before = policy.getStatus();
        var generation = policy.getMetadata().getGeneration();
        var conditions = new Conditions(before == null ? null : before.getConditions(), generation, now);
        var status = new LockPolicyStatus();
        status.setObservedGeneration(generation);
        status.setUsedBy(usedBy);
        try {
            var effective = EffectivePolicy.of(policy);
            status.setWorstCaseRecovery(GoDuration.format(effective.worstCaseRecovery()));
            conditions.isTrue(ConditionTypes.READY, Reasons.ACCEPTED, "jobs can use this policy");
        } catch (InvalidSpec invalid) {
            conditions.isFalse(ConditionTypes.READY, Reasons.INVALID_SPEC, String.valueOf(invalid.getMessage()));
            conditions.isTrue(ConditionTypes.STALLED, Reasons.INVALID_SPEC, String.valueOf(invalid.getMessage()));
        }
        status.setConditions(conditions.list());
        return status;
    }
}
